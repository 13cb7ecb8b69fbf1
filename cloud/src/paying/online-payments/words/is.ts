import { translate } from '@hlid/protocol/base/texts';
import type { RETURN_EN } from './en.ts';

export const RETURN_IS = translate<typeof RETURN_EN>()({
  title: 'Greiðsla',
  done: 'Bankinn hefur svarað.',
  next: 'Haltu áfram á greiðslusíðunni.',
  back: 'Áfram á greiðslusíðuna',
  refused: 'Þetta svar gildir ekki. Ekkert var greitt með því.',
  busy: 'Ekki náðist í greiðsluþjónustuna. Reyndu aftur á greiðslusíðunni.',
});
