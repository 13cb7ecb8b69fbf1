export const TRAINING_MARK_DA = 'Øvelse – ikke et rigtigt parkeringsanlæg';
