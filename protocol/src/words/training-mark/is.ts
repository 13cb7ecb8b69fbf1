export const TRAINING_MARK_IS = 'Æfing – ekki raunverulegt bílastæði';
