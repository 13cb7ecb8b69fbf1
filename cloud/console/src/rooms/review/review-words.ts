import { roomWords } from '../../words/words.ts';

export const REVIEW = roomWords('review').review;

export const QUALITY = roomWords('review').quality;

export const MATCHES = roomWords('review').matches;
