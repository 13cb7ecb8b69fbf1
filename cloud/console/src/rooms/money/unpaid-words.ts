import { wordsIn } from '../../words/words.ts';

/** Words about visits that owe something, and how they are settled. */
export const UNPAID = wordsIn(
  {
    empty: 'Nothing is unpaid',
    emptyHint: 'Visits come here while they owe something: cars inside, and cars that left without paying.',
    emptyFiltered: 'No unpaid visit fits these filters.',
    which: 'Which',
    all: 'All',
    left: 'Only those that have left',
    count: 'Visits',
    total: 'Due now',
    summed: (count: number) => `Amounts of the newest ${count} visits`,
    due: 'Due',
    entered: 'Entered',
    leftOn: 'Left',
    inside: 'Inside',
    settle: (count: number) => (count === 1 ? 'Settle 1 visit' : `Settle ${count} visits`),
    settleAmount: (count: number, sums: string) =>
      `Settle ${count === 1 ? '1 visit' : `${count} visits`}, ${sums}`,
  },
  {
    empty: 'Ekkert er ógreitt',
    emptyHint: 'Dvalir birtast hér meðan þær eru ógreiddar: bílar inni og bílar sem fóru án þess að greiða.',
    emptyFiltered: 'Engin ógreidd dvöl passar við þessar síur.',
    which: 'Hverjar',
    all: 'Allar',
    left: 'Aðeins bílar sem eru farnir',
    count: 'Dvalir',
    total: 'Ógreitt núna',
    summed: (count: number) => `Upphæðir nýjustu ${count} dvala`,
    due: 'Ógreitt',
    entered: 'Inn',
    leftOn: 'Út',
    inside: 'Inni',
    settle: (count: number) =>
      count % 10 === 1 && count % 100 !== 11 ? `Gera upp ${count} dvöl` : `Gera upp ${count} dvalir`,
    settleAmount: (count: number, sums: string) =>
      `Gera upp ${count} ${count % 10 === 1 && count % 100 !== 11 ? 'dvöl' : 'dvalir'}, ${sums}`,
  },
);
