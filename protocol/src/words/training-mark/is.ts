export const TRAINING_MARK_IS = 'Æfing – ekki raunverulegt bílastæði';
export const TRAINING_DOCUMENT_IS = 'Æfing – ekki raunverulegt skjal';
