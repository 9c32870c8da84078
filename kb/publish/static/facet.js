// Datasette's table.js asks for this constant, which its own page sets inline.
var DATASETTE_ALLOW_FACET = true;
