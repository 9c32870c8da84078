"""What the world said, and when: the archive of captures in WARC files."""

from kb.snapshots.archive import Archive as Archive
from kb.snapshots.capture import Capture as Capture
from kb.snapshots.capture import Exchange as Exchange
from kb.snapshots.capture import Hop as Hop
from kb.snapshots.capture import Run as Run
from kb.snapshots.writer import RunWriter as RunWriter
