export const TRAINING_MARK_DE = 'Übung – kein echter Parkplatz';
export const TRAINING_DOCUMENT_DE = 'Übung – kein echtes Dokument';
