import { STATUS_EN } from '../../base/status-words/en.ts';
import type { DecisionReason } from '../../records/decision.ts';
import type { InstructionCode } from '../../rules/lane-instruction.ts';

/** The texts of a display at a lane, for the driver who stands there. */
export const DISPLAY_EN = {
  /** The instruction. The phone number for help, where the site has one, is shown beside it. */
  instruction: {
    wait: 'One moment, please',
    'drive-on': 'Please drive on',
    'pay-at-kiosk': 'Please pay at the kiosk',
    'pay-online': 'Please pay with your phone, or call for help',
    'call-for-help': 'Please call for help',
    'turn-round': 'Please turn round',
  } satisfies Record<InstructionCode, string>,
  /** This text replaces `call-for-help` if the site has no number: the lane itself alerts people. */
  waitForHelp: 'Please wait here. We have asked staff to help you',
  /** Beside the picture of the visit for which a driver is kept, where it may not be his. */
  question: 'Is this your car? If it is not, say so at the kiosk.',
  /** Why the lane decided as it did. */
  reason: {
    'need-plate': 'We could not read your plate',
    blocklisted: 'Please call for help',
    permit: 'Welcome',
    'permits-only': 'Permit holders only',
    full: 'The car park is full',
    welcome: 'Welcome',
    'no-visit': 'Have a good journey',
    'ambiguous-visit': 'Have a good journey',
    whitelisted: 'Have a good journey',
    quota: 'Paid from your prepaid days. Have a good journey',
    'nothing-due': 'Nothing to pay. Have a good journey',
    paid: 'Paid. Have a good journey',
    'company-invoice': 'Your company pays. Have a good journey',
    'owner-invoice': 'We will send an invoice. Have a good journey',
    'need-payment': STATUS_EN.visit['need-payment'],
    'stay-uncertain': 'Have a good journey',
    'visit-ended': 'Have a good journey',
    'late-exit': 'Have a good journey',
    'left-unpaid': 'Please pay afterwards. Have a good journey',
    'not-mine': 'Have a good journey',
    'closed-by-operator': 'Closed for now. Please call for help',
    'unread-vehicle': 'Have a good journey',
  } satisfies Record<DecisionReason, string>,
} as const;
