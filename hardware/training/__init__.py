"""How the reader network is made: cheap drawn scenes, the recipe of the patches, the training; needs torch only to train."""
