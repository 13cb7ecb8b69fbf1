import type { RolloutOutcome, RolloutState } from '@hlid/cloud/records/rollouts/rollout-words';
import type { SkipReason } from '@hlid/cloud/sites/rollouts/rollout-state';
import type { Tone } from '../../ui/badge.tsx';
import { wordsIn } from '../../words/words.ts';
import { GROUPS, type GroupCounts, groupOf, type RolloutGroup } from './rollout-groups.ts';

/** In Icelandic 1, 21, 31 … are singular, and 11 is not. */
const isOne = (count: number) => count % 10 === 1 && count % 100 !== 11;
const sitesEn = (count: number) => (count === 1 ? '1 site' : `${count} sites`);

export const WORDS = wordsIn(
  {
    title: 'Upgrades',
    tabs: { rollout: 'Under way', packages: 'Packages', former: 'Former rollouts' },

    rolloutOf: (version: string) => `Rollout of ${version}`,
    summary: 'How it went',
    states: { running: 'Running', paused: 'Paused', done: 'Done', ended: 'Ended' },
    begins: 'The first ring begins.',
    ring: (ring: number) => `Ring ${ring}`,
    ringOf: (ring: number, place: number, count: number) => {
      if (count === 1) return `Ring ${ring}`;
      return ring === place ? `Ring ${ring} of ${count}` : `Ring ${ring} (number ${place} of ${count})`;
    },
    progress: (ring: string, done: number, total: number) => `${ring}: ${done} of ${sitesEn(total)} done.`,
    ringOver: (ring: number) => `Ring ${ring} is over.`,
    nextRing: (ring: number, at: string) => `Ring ${ring} begins on ${at} at the earliest.`,
    nextRingNow: (ring: number) => `Ring ${ring} begins within a minute.`,
    waitsForAway: (count: number) =>
      count === 1
        ? '1 site is not connected. It is upgraded when it connects.'
        : `${count} sites are not connected. They are upgraded when they connect.`,
    allDone: (done: number, total: number) =>
      done === total
        ? `All ${sitesEn(total)} have the version.`
        : `${done} of ${sitesEn(total)} have the version.`,
    pausedBecause: (why: string) => `Paused: ${why}`,
    pausedBy: (who: string) => `Paused by ${who}.`,
    wentBack: (site: string, version: string | null) =>
      version === null ? `${site} went back to the former version` : `${site} went back to ${version}`,
    gotStuck: (site: string) => `${site} works neither with the new version nor with the former one`,
    ringFailed: (ring: number) => `no site of ring ${ring} accepted the version.`,
    pausedHint: 'No other site begins until somebody resumes the rollout.',
    commandLine: 'the command line',
    goneAccount: 'an account that is gone',
    soak: 'Between two rings',
    hours: (hours: number) => (hours === 1 ? '1 hour' : `${hours} hours`),
    atOnce: 'At once, at most',
    sitesCount: sitesEn,
    started: 'Started',
    by: 'By',
    over: 'Over',

    pause: 'Pause',
    pauseTitle: (version: string) => `Pause the rollout of ${version}`,
    pauseHint:
      'No other site begins. Sites that install go on, and so do those that have the version. The rollout can be resumed at any time.',
    pauseDone: 'The rollout is paused.',
    resume: 'Resume',
    resumeTitle: (version: string) => `Resume the rollout of ${version}`,
    resumeHint: 'The rollout goes on with the other sites.',
    resumeFailed: (count: number) =>
      count === 1
        ? 'The site that failed stays as it is, unless you try it again.'
        : `The ${count} sites that failed stay as they are, unless you try them again.`,
    resumeDone: 'The rollout goes on.',
    end: 'End',
    endTitle: (version: string) => `End the rollout of ${version}`,
    endHint:
      'Sites that have not begun to install keep their version. What has installed goes on. A rollout that was ended cannot be resumed: start another one.',
    endDone: 'The rollout was ended.',
    tryAgain: 'Try again',
    tryAgainAt: (site: string) => `Try again: ${site}`,
    retried: (site: string) => `${site} gets another order.`,
    retriedLater: (site: string) => `${site} gets another order when the rollout is resumed.`,

    sites: 'Sites',
    site: 'Site',
    ringTitle: 'Ring',
    state: 'State',
    version: 'Version',
    connection: 'Connection',
    connected: 'Connected',
    lost: 'Not connected',
    never: 'Never connected',
    reason: 'Reason',
    when: 'When',
    wholeReason: 'Whole reason',
    wholeReasonOf: (site: string) => `Whole reason: ${site}`,
    reasonOf: (site: string) => `Reason: ${site}`,
    all: 'All',
    withCount: (name: string, count: number) => `${name} (${count})`,
    noneFound: 'No site is like that',
    noneFoundHint: 'Choose another state, or clear the filters.',
    shown: (count: number, total: number) => `${count} of ${total} sites`,
    groups: {
      failed: 'Failed',
      'under-way': 'Under way',
      waiting: 'Waiting',
      done: 'Done',
      withdrawn: 'Withdrawn',
    },
    counted: {
      failed: (count: number) => `${count} failed`,
      'under-way': (count: number) => `${count} under way`,
      waiting: (count: number) => `${count} waiting`,
      done: (count: number) => `${count} done`,
      withdrawn: (count: number) => `${count} withdrawn`,
    },
    outcomes: {
      waiting: 'Waits for its ring',
      ordered: 'Not begun',
      downloading: 'Downloading',
      working: 'Preparing',
      installing: 'Installing',
      refused: 'Refused',
      done: 'Done',
      'went-back': 'Went back',
      stuck: 'Stuck',
      'up-to-date': 'Had the version',
      skipped: 'Skipped',
      withdrawn: 'Withdrawn',
    },
    skips: {
      'accepts-no-orders': 'The site trusts no key, so it accepts no orders.',
      'no-package': 'There is no package for its processor.',
    },

    noOpen: 'No rollout is under way',
    noOpenHint: 'Start one when there is a package of a new version.',
    lastOne: (version: string, state: string) => `The last one: ${version}, ${state}.`,
    firstSteps: 'The sites can be upgraded from here',
    firstStepsHint: 'Before the first rollout:',
    stepKey: 'Make a key, once, on a computer of your own. Keep hlid.key secret.',
    stepTrust: 'Trust the key at each site:',
    stepAdd: 'Sign the package with the key, and add both files under Packages.',
    commandTrust: 'Command at each site’s computer',
    commandKey: 'Command that makes the key',
    commandSign: 'Command that signs the package',

    start: 'Start a rollout',
    startVersion: (count: number, version: string) =>
      version === '' ? 'Start' : `Upgrade ${sitesEn(count)} to ${version}`,
    packagesFor: (architectures: string) => `There is a package for ${architectures}.`,
    soakHours: 'Hours between two rings',
    soakHint: 'A ring has to work for so long before the next one begins.',
    maxAtOnce: 'Sites at once, at most',
    which: 'Which sites',
    everySite: 'All sites',
    chosenSites: 'Chosen sites',
    chosen: (count: number, total: number) => `${count} of ${sitesEn(total)} chosen`,
    find: 'Find a site',
    willHappen: 'What will happen',
    firstRing: (ring: number, count: number) => `Ring ${ring} begins now, with ${sitesEn(count)}.`,
    laterRing: (ring: number, count: number) => `ring ${ring} with ${sitesEn(count)}`,
    laterRings: (hours: number, rings: string) =>
      hours === 0
        ? `As soon as a ring is over, the next one begins: ${rings}.`
        : `${hours === 1 ? 'An hour' : `${hours} hours`} after a ring is over, the next one begins: ${rings}.`,
    ifItFails: 'A site that goes back to its former version pauses the rollout.',
    noneChosen: 'No site is chosen.',
    startDone: (version: string) => `The rollout of ${version} has started.`,

    add: 'Add a package',
    addNow: (version: string) => (version === '' ? 'Add' : `Add ${version}`),
    addHint: 'Sites check the signature with the keys that they trust.',
    packageFile: 'Package',
    packageHint: 'A file hlid-edge_<version>_<amd64 or arm64>.deb',
    signatureFile: 'Signature',
    signatureHint: 'The file .minisig that belongs to it',
    wrongName: (name: string) =>
      `The file is called ${name}. Choose the package as it was built: hlid-edge_<version>_<amd64 or arm64>.deb.`,
    wrongSignature: (name: string) => `${name} is no signature. Choose the file that ends in .deb.minisig.`,
    tooLarge: (megabytes: string) => `The file is too large. A package has at most ${megabytes}.`,
    sending: (sent: string, total: string) => `${sent} of ${total} sent`,
    storing: 'The cloud stores the package …',
    stop: 'Stop',
    added: (version: string) => `${version} is added.`,
    architecture: 'Processor',
    size: 'Size',
    sha256: 'SHA-256',
    copySum: (version: string, architecture: string) => `Copy the SHA-256 of ${version} for ${architecture}`,
    addedAt: 'Added',
    noPackages: 'There are no packages',
    noPackagesHint: 'Add a package of the edge and its signature. Then sites can be upgraded to it.',
    deletePackage: (version: string, architecture: string) => `Delete ${version} for ${architecture}`,
    deleteHint: 'No rollout can use this package any more. Sites that have installed it keep it.',
    deleteInUse: 'A package that a rollout under way needs cannot be deleted.',

    ended: 'How it ended',
    noFormer: 'No rollout is over yet',
    noFormerHint: 'Rollouts that are done, or were ended, are listed here.',
  },
  {
    title: 'Uppfærslur',
    tabs: { rollout: 'Í gangi', packages: 'Pakkar', former: 'Fyrri uppfærslur' },

    rolloutOf: (version: string) => `Uppfærsla í ${version}`,
    summary: 'Hvernig gekk',
    states: { running: 'Í gangi', paused: 'Í bið', done: 'Lokið', ended: 'Stöðvuð' },
    begins: 'Fyrsti hringur er að hefjast.',
    ring: (ring: number) => `Hringur ${ring}`,
    ringOf: (ring: number, place: number, count: number) => {
      if (count === 1) return `Hringur ${ring}`;
      return ring === place ? `Hringur ${ring} af ${count}` : `Hringur ${ring} (númer ${place} af ${count})`;
    },
    progress: (ring: string, done: number, total: number) =>
      `${ring}: ${done} af ${total} ${isOne(total) ? 'stæði' : 'stæðum'} lokið.`,
    ringOver: (ring: number) => `Hring ${ring} er lokið.`,
    nextRing: (ring: number, at: string) => `Hringur ${ring} hefst í fyrsta lagi ${at}.`,
    nextRingNow: (ring: number) => `Hringur ${ring} hefst innan mínútu.`,
    waitsForAway: (count: number) =>
      isOne(count)
        ? `${count} stæði er ótengt. Það er uppfært þegar það tengist.`
        : `${count} stæði eru ótengd. Þau eru uppfærð þegar þau tengjast.`,
    allDone: (done: number, total: number) =>
      done === total
        ? `Útgáfan er komin á öll stæðin (${total}).`
        : `Útgáfan er komin á ${done} af ${total} ${isOne(total) ? 'stæði' : 'stæðum'}.`,
    pausedBecause: (why: string) => `Í bið: ${why}`,
    pausedBy: (who: string) => `Sett í bið: ${who}.`,
    wentBack: (site: string, version: string | null) =>
      version === null ? `${site} fór aftur í fyrri útgáfu` : `${site} fór aftur í ${version}`,
    gotStuck: (site: string) => `${site} virkar hvorki með nýju útgáfunni né þeirri fyrri`,
    ringFailed: (ring: number) => `ekkert stæði í hring ${ring} tók við útgáfunni.`,
    pausedHint: 'Ekkert annað stæði byrjar fyrr en uppfærslunni er haldið áfram.',
    commandLine: 'skipanalína skýsins',
    goneAccount: 'aðgangur sem er ekki lengur til',
    soak: 'Milli hringa',
    hours: (hours: number) => (isOne(hours) ? `${hours} klukkustund` : `${hours} klukkustundir`),
    atOnce: 'Mest í einu',
    sitesCount: (count: number) => `${count} stæði`,
    started: 'Hófst',
    by: 'Hver',
    over: 'Lauk',

    pause: 'Setja í bið',
    pauseTitle: (version: string) => `Setja uppfærslu í ${version} í bið`,
    pauseHint:
      'Ekkert annað stæði byrjar. Stæði sem eru að setja upp halda áfram og þau sem hafa fengið útgáfuna halda henni. Alltaf má halda uppfærslunni áfram síðar.',
    pauseDone: 'Uppfærslan er í bið.',
    resume: 'Halda áfram',
    resumeTitle: (version: string) => `Halda áfram að uppfæra í ${version}`,
    resumeHint: 'Uppfærslan heldur áfram á hinum stæðunum.',
    resumeFailed: (count: number) =>
      isOne(count)
        ? `${count} stæði sem mistókst að uppfæra helst óbreytt nema þú reynir það aftur.`
        : `${count} stæði sem mistókst að uppfæra haldast óbreytt nema þú reynir þau aftur.`,
    resumeDone: 'Uppfærslan heldur áfram.',
    end: 'Stöðva',
    endTitle: (version: string) => `Stöðva uppfærslu í ${version}`,
    endHint:
      'Stæði sem eru ekki byrjuð að setja upp halda sinni útgáfu. Það sem er komið upp gengur áfram. Ekki er hægt að halda áfram eftir þetta: þá þarf að hefja nýja uppfærslu.',
    endDone: 'Uppfærslan var stöðvuð.',
    tryAgain: 'Reyna aftur',
    tryAgainAt: (site: string) => `Reyna aftur: ${site}`,
    retried: (site: string) => `Reynt verður aftur: ${site}.`,
    retriedLater: (site: string) => `Reynt verður aftur þegar uppfærslan heldur áfram: ${site}.`,

    sites: 'Bílastæði',
    site: 'Bílastæði',
    ringTitle: 'Hringur',
    state: 'Staða',
    version: 'Útgáfa',
    connection: 'Tenging',
    connected: 'Tengt',
    lost: 'Ótengt',
    never: 'Aldrei tengst',
    reason: 'Ástæða',
    when: 'Hvenær',
    wholeReason: 'Öll ástæðan',
    wholeReasonOf: (site: string) => `Öll ástæðan: ${site}`,
    reasonOf: (site: string) => `Ástæða: ${site}`,
    all: 'Allt',
    withCount: (name: string, count: number) => `${name} (${count})`,
    noneFound: 'Ekkert stæði er þannig',
    noneFoundHint: 'Veldu aðra stöðu eða hreinsaðu síurnar.',
    shown: (count: number, total: number) => `${count} af ${total} ${isOne(total) ? 'stæði' : 'stæðum'}`,
    groups: {
      failed: 'Mistókst',
      'under-way': 'Í vinnslu',
      waiting: 'Bíða',
      done: 'Lokið',
      withdrawn: 'Afturkallað',
    },
    counted: {
      failed: (count: number) => (isOne(count) ? `${count} mistókst` : `${count} mistókust`),
      'under-way': (count: number) => `${count} í vinnslu`,
      waiting: (count: number) => (isOne(count) ? `${count} bíður` : `${count} bíða`),
      done: (count: number) => `${count} lokið`,
      withdrawn: (count: number) => (isOne(count) ? `${count} afturkallað` : `${count} afturkölluð`),
    },
    outcomes: {
      waiting: 'Bíður síns hrings',
      ordered: 'Ekki byrjað',
      downloading: 'Sækir pakkann',
      working: 'Undirbýr',
      installing: 'Setur upp',
      refused: 'Hafnaði',
      done: 'Lokið',
      'went-back': 'Fór til baka',
      stuck: 'Virkar ekki',
      'up-to-date': 'Var með útgáfuna',
      skipped: 'Sleppt',
      withdrawn: 'Afturkallað',
    },
    skips: {
      'accepts-no-orders': 'Stæðið treystir engum lykli og tekur því ekki við fyrirmælum.',
      'no-package': 'Enginn pakki er til fyrir örgjörva þess.',
    },

    noOpen: 'Engin uppfærsla er í gangi',
    noOpenHint: 'Hefja má uppfærslu þegar pakki með nýrri útgáfu er kominn.',
    lastOne: (version: string, state: string) => `Sú síðasta: ${version}, ${state}.`,
    firstSteps: 'Héðan má uppfæra öll bílastæðin',
    firstStepsHint: 'Fyrir fyrstu uppfærsluna:',
    stepKey: 'Búðu til lykil, einu sinni, á eigin tölvu. Haltu hlid.key leyndum.',
    stepTrust: 'Láttu hvert bílastæði treysta lyklinum:',
    stepAdd: 'Undirritaðu pakkann með lyklinum og bættu báðum skránum við undir Pakkar.',
    commandTrust: 'Skipun í tölvunni á hverju stæði',
    commandKey: 'Skipun sem býr til lykilinn',
    commandSign: 'Skipun sem undirritar pakkann',

    start: 'Hefja uppfærslu',
    startVersion: (count: number, version: string) =>
      version === '' ? 'Hefja' : `Uppfæra ${count} stæði í ${version}`,
    packagesFor: (architectures: string) => `Pakki er til fyrir ${architectures}.`,
    soakHours: 'Klukkustundir milli hringa',
    soakHint: 'Svo lengi þarf hringur að virka áður en sá næsti hefst.',
    maxAtOnce: 'Fjöldi stæða í einu, mest',
    which: 'Hvaða stæði',
    everySite: 'Öll stæði',
    chosenSites: 'Valin stæði',
    chosen: (count: number, total: number) =>
      `${count} af ${total} ${isOne(total) ? 'stæði valið' : 'stæðum valin'}`,
    find: 'Finna stæði',
    willHappen: 'Hvað gerist',
    firstRing: (ring: number, count: number) =>
      `Hringur ${ring} hefst strax, með ${count} ${isOne(count) ? 'stæði' : 'stæðum'}.`,
    laterRing: (ring: number, count: number) =>
      `hringur ${ring} með ${count} ${isOne(count) ? 'stæði' : 'stæðum'}`,
    laterRings: (hours: number, rings: string) =>
      hours === 0
        ? `Um leið og hring er lokið hefst sá næsti: ${rings}.`
        : `${hours} ${isOne(hours) ? 'klukkustund' : 'klukkustundum'} eftir að hring er lokið hefst sá næsti: ${rings}.`,
    ifItFails: 'Ef stæði fer aftur í fyrri útgáfu fer uppfærslan í bið.',
    noneChosen: 'Ekkert stæði er valið.',
    startDone: (version: string) => `Uppfærsla í ${version} er hafin.`,

    add: 'Bæta við pakka',
    addNow: (version: string) => (version === '' ? 'Bæta við' : `Bæta við ${version}`),
    addHint: 'Bílastæðin athuga undirskriftina með lyklunum sem þau treysta.',
    packageFile: 'Pakki',
    packageHint: 'Skrá sem heitir hlid-edge_<útgáfa>_<amd64 eða arm64>.deb',
    signatureFile: 'Undirskrift',
    signatureHint: 'Skráin .minisig sem fylgir honum',
    wrongName: (name: string) =>
      `Skráin heitir ${name}. Veldu pakkann eins og hann var smíðaður: hlid-edge_<útgáfa>_<amd64 eða arm64>.deb.`,
    wrongSignature: (name: string) => `${name} er ekki undirskrift. Veldu skrána sem endar á .deb.minisig.`,
    tooLarge: (megabytes: string) => `Skráin er of stór. Pakki má mest vera ${megabytes}.`,
    sending: (sent: string, total: string) => `${sent} af ${total} send`,
    storing: 'Skýið vistar pakkann …',
    stop: 'Stöðva',
    added: (version: string) => `${version} hefur bæst við.`,
    architecture: 'Örgjörvi',
    size: 'Stærð',
    sha256: 'SHA-256',
    copySum: (version: string, architecture: string) => `Afrita SHA-256 fyrir ${version}, ${architecture}`,
    addedAt: 'Bætt við',
    noPackages: 'Engir pakkar',
    noPackagesHint: 'Bættu við pakka fyrir bílastæði og undirskrift hans. Þá má uppfæra í hann.',
    deletePackage: (version: string, architecture: string) => `Eyða ${version}, ${architecture}`,
    deleteHint:
      'Ekki verður lengur hægt að uppfæra í þennan pakka. Stæði sem hafa sett hann upp halda honum.',
    deleteInUse: 'Ekki er hægt að eyða pakka sem uppfærsla í gangi notar.',

    ended: 'Hvernig fór',
    noFormer: 'Engri uppfærslu er lokið enn',
    noFormerHint: 'Hér birtast uppfærslur sem er lokið eða voru stöðvaðar.',
  },
);

const GROUP_TONES: Readonly<Record<RolloutGroup, Tone>> = {
  failed: 'negative',
  'under-way': 'accent',
  waiting: 'neutral',
  done: 'positive',
  withdrawn: 'neutral',
};
const STATE_TONES: Readonly<Record<RolloutState, Tone>> = {
  running: 'accent',
  paused: 'caution',
  done: 'positive',
  ended: 'neutral',
};

export function outcomeTone(outcome: RolloutOutcome): Tone {
  return outcome === 'skipped' ? 'caution' : GROUP_TONES[groupOf(outcome)];
}

export function stateTone(state: RolloutState): Tone {
  return STATE_TONES[state];
}

/** `4 done, 2 under way`: the groups that have sites. */
export function countsText(counts: GroupCounts): string {
  const parts = GROUPS.filter((group) => counts[group] > 0);
  return parts.map((group) => WORDS.counted[group](counts[group])).join(', ');
}

export function reasonText({ outcome, reason }: { outcome: RolloutOutcome; reason: string | null }): string {
  return outcome === 'skipped' && isSkip(reason) ? WORDS.skips[reason] : (reason ?? '');
}

function isSkip(reason: string | null): reason is SkipReason {
  return reason !== null && reason in WORDS.skips;
}

/** The caller's name. @param by as the API has it: `account:<id>`, or `cloud:command-line` */
export function callerText(by: string | null, byName: string | null): string {
  return byName ?? (by?.startsWith('cloud:') ? WORDS.commandLine : WORDS.goneAccount);
}
