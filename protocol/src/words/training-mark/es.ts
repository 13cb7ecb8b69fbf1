export const TRAINING_MARK_ES = 'Prácticas: no es un aparcamiento real';
