"""What a picture is made of, for more than one page: planes, grids, the Labels' methods."""
