export const TRAINING_MARK_EN = 'Training – not a real car park';
export const TRAINING_DOCUMENT_EN = 'Training – not a real document';
