import { translate } from '@hlid/protocol/base/texts';
import type { FILE_EN } from './en.ts';

export const FILE_IS = translate<typeof FILE_EN>()({
  visits: {
    sheet: 'Dvalir',
    headers: {
      site: 'Bílastæði',
      plate: 'Bílnúmer',
      startedOn: 'Inn',
      endedOn: 'Út',
      stay: 'Dvöl',
      status: 'Staða',
      paymentStatus: 'Uppgjör',
      stayPrice: 'Verð dvalar',
      due: 'Ógreitt',
      invoiceNumber: 'Reikningur nr.',
      invoiced: 'Á reikningi',
      invoiceStatus: 'Staða reiknings',
      currency: 'Gjaldmiðill',
      category: 'Flokkur',
      customer: 'Viðskiptavinur',
      flags: 'Athugasemdir',
      id: 'Auðkenni',
    },
    category: {
      light: 'Léttur',
      heavy: 'Þungur',
    },
  },
  traffic: {
    sheet: 'Umferð',
    headers: {
      weekday: 'Vikudagur',
      from: 'Frá kl.',
      arrivals: 'Inn',
      departures: 'Út',
      arrivalsPerHour: 'Inn á klst.',
      departuresPerHour: 'Út á klst.',
      inside: 'Bílar inni',
    },
  },
});
