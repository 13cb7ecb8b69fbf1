export const TRAINING_MARK_PL = 'Szkolenie – to nie jest prawdziwy parking';
