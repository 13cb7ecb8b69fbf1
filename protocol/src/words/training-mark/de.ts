export const TRAINING_MARK_DE = 'Übung – kein echter Parkplatz';
