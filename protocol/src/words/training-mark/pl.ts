export const TRAINING_MARK_PL = 'Szkolenie – to nie jest prawdziwy parking';
export const TRAINING_DOCUMENT_PL = 'Szkolenie – to nie jest prawdziwy dokument';
