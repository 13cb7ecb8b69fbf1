export const TRAINING_MARK_EN = 'Training – not a real car park';
