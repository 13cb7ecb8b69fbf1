export const TRAINING_MARK_ES = 'Prácticas: no es un aparcamiento real';
export const TRAINING_DOCUMENT_ES = 'Prácticas: no es un documento real';
