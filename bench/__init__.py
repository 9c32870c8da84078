"""Accuracy and speed, shown as tables; each module here has `main()`, which prints one."""
