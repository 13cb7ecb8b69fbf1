import { PRICE_EN } from '@hlid/protocol/words/price/en';
import { common } from './common.ts';
import { dispute } from './disputes.ts';
import { login } from './login.ts';
import {
  connectionBadge,
  find,
  listKeys,
  pageError,
  paletteActs,
  pickers,
  pictureNow,
  roomNames,
  shell,
  shortcuts,
} from './shell.ts';
import {
  bulkDialog,
  conflict,
  countField,
  dialog,
  downloadButton,
  periodField,
  picture,
  settleFields,
  time,
  unsaved,
  wallWords,
} from './ui.ts';

/** What the console says around its rooms and in more than one of them, in English. */
export const EN = {
  price: PRICE_EN,
  bulkDialog,
  common,
  conflict,
  connectionBadge,
  countField,
  dialog,
  dispute,
  downloadButton,
  find,
  listKeys,
  login,
  pageError,
  paletteActs,
  periodField,
  pickers,
  picture,
  pictureNow,
  roomNames,
  settleFields,
  shell,
  shortcuts,
  time,
  unsaved,
  wallWords,
};
