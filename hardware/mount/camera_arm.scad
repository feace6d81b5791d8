// Camera arm for a 20 x 20 mm post: print each part once. Lengths in millimetres.
// openscad -D 'part="arm"' -o arm.stl camera_arm.scad
part = "all";          // post_clamp, arm, head or all

post = 20;             // side of the square post
play = 0.4;            // gap so that the clamp slides
wall = 5;
bolt = 5.3;            // M5, loose
arm_length = 160;
joint = 18;            // outer diameter of a joint
leaf = 7;              // thickness of a joint's leaf
camera_holes = [21, 12.5];  // Camera Module 3: distance of its M2 holes
camera_board = [25, 24];
$fn = 64;

module leaf_at(length) {
    hull() {
        cylinder(d = joint, h = leaf);
        translate([length, 0, 0]) cylinder(d = joint, h = leaf);
    }
}

module bolt_hole(height) { translate([0, 0, -1]) cylinder(d = bolt, h = height + 2); }

module post_clamp() {
    side = post + play + 2 * wall;
    difference() {
        union() {
            cube([side, side, 30]);
            translate([side - 1, side / 2 - leaf / 2, 0]) cube([14, leaf, 30]);
            translate([side + 13, side / 2 + leaf / 2, 15]) rotate([90, 0, 0]) cylinder(d = joint, h = leaf);
        }
        translate([wall, wall, -1]) cube([post + play, post + play, 32]);
        // Pinching bolt through one wall, against the post.
        translate([-1, side / 2, 15]) rotate([0, 90, 0]) cylinder(d = 4.8, h = wall + 2);
        translate([side + 13, side / 2 + leaf / 2 + 1, 15]) rotate([90, 0, 0]) cylinder(d = bolt, h = leaf + 2);
    }
}

module arm() {
    difference() {
        leaf_at(arm_length);
        bolt_hole(leaf);
        translate([arm_length, 0, 0]) bolt_hole(leaf);
        // A slot to tie the ribbon cable down.
        translate([arm_length / 2 - 10, -2, -1]) cube([20, 4, leaf + 2]);
    }
}

module head() {
    plate = [camera_board[0] + 6, camera_board[1] + 8, 4];
    difference() {
        union() {
            cube(plate);
            // The upright leaf stands on the plate's edge; its bolt lets the head tilt.
            translate([0, plate[1] - leaf, 0]) cube([plate[0], leaf, 14]);
            translate([plate[0] / 2, plate[1], 16]) rotate([90, 0, 0]) cylinder(d = joint, h = leaf);
        }
        translate([plate[0] / 2, plate[1] + 1, 16]) rotate([90, 0, 0]) cylinder(d = bolt, h = leaf + 2);
        for (x = [0, 1], y = [0, 1])
            translate([(plate[0] - camera_holes[0]) / 2 + x * camera_holes[0], 4 + y * camera_holes[1], -1])
                cylinder(d = 1.8, h = 6);
        // Room for the lens's solder points and the ribbon's plug.
        translate([plate[0] / 2 - 8, 6, 2.5]) cube([16, 9, 4]);
    }
}

if (part == "post_clamp" || part == "all") post_clamp();
if (part == "arm" || part == "all") translate([0, -30, 0]) arm();
if (part == "head" || part == "all") translate([70, 10, 0]) head();
