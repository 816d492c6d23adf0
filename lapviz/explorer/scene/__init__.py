"""Parts of pictures that several pages need: planes, grids, the methods of the Labels page."""
