"""Where frames come from: the Pi's camera, a USB camera, recorded pictures or the simulated board."""
