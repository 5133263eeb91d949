"""Records as the PhysioNet challenges publish them: a file a patient, in folders and archives."""
