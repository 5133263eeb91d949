"""What the paper printed: AUPRC and AUC of its tables, for the cohorts that are at hand here.

Its Diabetes has nine label-encoded columns and its Sepsis whole-stay aggregates: other tables than
ours. AC-TPC was not run by its authors at k = 2.
"""

METHODS = ("kmeans_z", "dcn_z", "idec_z", "dmnn", "actpc", "grasp", "deepcac")
_AUPRC = """
diabetes 2 .528 .556 .553 .530 -    .538 .558
diabetes 3 .514 .556 .548 .539 .523 .542 .560
diabetes 4 .507 .556 .553 .536 .500 .544 .555
cic      2 .568 .609 .674 .636 -    .757 .753
cic      3 .527 .612 .587 .667 .656 .755 .746
cic      4 .540 .594 .618 .636 .663 .743 .743
cic_los  2 .396 .440 .452 .429 -    .478 .485
cic_los  3 .353 .425 .406 .435 .426 .473 .488
cic_los  4 .344 .443 .437 .429 .402 .474 .487
sepsis   2 .532 .595 .597 .539 -    .500 .646
sepsis   3 .515 .593 .596 .531 .579 .496 .654
sepsis   4 .517 .553 .601 .531 .574 .499 .628
"""
_AUC = """
diabetes 2 .534 .571 .565 .536 -    .569 .570
diabetes 3 .517 .569 .558 .546 .540 .565 .573
diabetes 4 .508 .569 .564 .545 .500 .561 .568
cic      2 .606 .700 .766 .737 -    .827 .820
cic      3 .535 .705 .657 .762 .757 .810 .815
cic      4 .549 .681 .687 .731 .782 .799 .811
cic_los  2 .576 .625 .638 .610 -    .654 .664
cic_los  3 .524 .611 .596 .617 .630 .650 .663
cic_los  4 .512 .625 .623 .615 .601 .639 .663
sepsis   2 .621 .795 .792 .656 -    .495 .803
sepsis   3 .550 .782 .781 .603 .714 .474 .793
sepsis   4 .549 .691 .773 .631 .684 .488 .794
"""


def _read(text):
    lines = (line.split() for line in text.strip().splitlines())
    return {
        (cohort, int(k)): dict(zip(METHODS, numbers, strict=True)) for cohort, k, *numbers in lines
    }


PUBLISHED = {"auprc_macro": _read(_AUPRC), "auc": _read(_AUC)}
