export const TRAINING_MARK_DA = 'Øvelse – ikke et rigtigt parkeringsanlæg';
export const TRAINING_DOCUMENT_DA = 'Øvelse – ikke et rigtigt dokument';
