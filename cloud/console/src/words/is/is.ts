import { STATUS_IS } from '@hlid/protocol/base/status-words/is';
import { WEEKDAYS_IS } from '@hlid/protocol/base/weekdays/is';
import { CODES_IS } from '@hlid/protocol/words/codes/is';
import { PRICE_IS } from '@hlid/protocol/words/price/is';
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

/** The texts of the console around its rooms and in more than one of them, in Icelandic. */
export const IS = {
  codes: CODES_IS,
  price: PRICE_IS,
  status: STATUS_IS,
  weekdays: WEEKDAYS_IS,
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
