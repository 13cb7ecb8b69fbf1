import { STATUS_EN } from '@hlid/protocol/base/status-words/en';
import { WEEKDAYS_EN } from '@hlid/protocol/base/weekdays/en';
import { CODES_EN } from '@hlid/protocol/words/codes/en';
import { PRICE_EN } from '@hlid/protocol/words/price/en';
import { approval } from './approvals.ts';
import { common } from './common.ts';
import { dispute } from './disputes.ts';
import { login } from './login.ts';
import {
  checklist,
  connectionBadge,
  find,
  firstStepsLine,
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
  numberField,
  periodField,
  picture,
  settleFields,
  time,
  unsaved,
  vatFields,
  wallWords,
} from './ui.ts';

/** The texts of the console around its rooms and in more than one of them, in English. */
export const EN = {
  codes: CODES_EN,
  price: PRICE_EN,
  status: STATUS_EN,
  weekdays: WEEKDAYS_EN,
  approval,
  bulkDialog,
  checklist,
  common,
  conflict,
  connectionBadge,
  countField,
  numberField,
  dialog,
  dispute,
  downloadButton,
  find,
  firstStepsLine,
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
  vatFields,
  wallWords,
};
