import type { Language } from '@hlid/protocol/language';
import { DA } from './da.ts';
import { DE } from './de.ts';
import { EN, type Words } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IS } from './is.ts';
import { PL } from './pl.ts';

export const WORDS: Record<Language, Words> = { is: IS, en: EN, pl: PL, de: DE, fr: FR, es: ES, da: DA };
