import type { OfficeLanguage } from '../language.ts';
import type { StatusWords } from '../statuses.ts';
import { STATUS_EN } from './en.ts';
import { STATUS_IS } from './is.ts';

export const STATUS_WORDS: Record<OfficeLanguage, StatusWords> = { is: STATUS_IS, en: STATUS_EN };
