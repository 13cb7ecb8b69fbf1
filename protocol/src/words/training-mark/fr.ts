export const TRAINING_MARK_FR = 'Formation – ce n’est pas un vrai parking';
export const TRAINING_DOCUMENT_FR = 'Formation – ce n’est pas un vrai document';
