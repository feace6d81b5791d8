"""How the reader network is made: drawn scenes, the recipe of the patches, the training (which alone needs torch)."""
