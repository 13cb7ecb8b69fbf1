import type { InstructionCode } from '../rules/lane-instruction.ts';

/** The instruction for a driver, by code. A help phone number, where the site has one, is shown beside it. */
export const INSTRUCTION_WORDS: Record<'is' | 'en', Record<InstructionCode, string>> = {
  en: {
    wait: 'One moment, please',
    'drive-on': 'Please drive on',
    'pay-at-kiosk': 'Please pay at the kiosk',
    'pay-online': 'Please pay with your phone, or call for help',
    'call-for-help': 'Please call for help',
    'turn-round': 'Please turn round',
  },
  is: {
    wait: 'Augnablik',
    'drive-on': 'Aktu áfram',
    'pay-at-kiosk': 'Vinsamlegast greiddu í greiðsluvélinni',
    'pay-online': 'Vinsamlegast greiddu með símanum, eða hringdu eftir aðstoð',
    'call-for-help': 'Vinsamlegast hringdu eftir aðstoð',
    'turn-round': 'Vinsamlegast snúðu við',
  },
};

/** In place of `call-for-help` where the site has no number: the lane asks people for help by itself. */
export const WAIT_FOR_HELP_WORDS: Record<'is' | 'en', string> = {
  en: 'Please wait here. We have asked staff to help you',
  is: 'Vinsamlegast bíddu hér. Við höfum beðið starfsfólk um aðstoð',
};

/** Beside the picture of the visit for which a driver is kept, where it may not be his. */
export const QUESTION_WORDS: Record<'is' | 'en', string> = {
  en: 'Is this your car? If it is not, say so at the kiosk.',
  is: 'Er þetta bíllinn þinn? Ef ekki, láttu vita í greiðsluvélinni.',
};
