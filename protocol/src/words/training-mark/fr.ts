export const TRAINING_MARK_FR = 'Formation – ce n’est pas un vrai parking';
