import type { DeviceState } from '@hlid/protocol/records/device';
import { DEVICE_STATE_WORDS } from '@hlid/protocol/words/device-words';
import type { Tone } from '../../ui/badge.tsx';
import { LANGUAGE, wordsIn } from '../../words/words.ts';

export const WORDS = wordsIn(
  {
    title: 'Devices',
    tabs: { devices: 'Devices', connection: 'Connection' },
    site: 'Site',
    device: 'Device',
    state: 'State',
    since: 'Since',
    advice: 'What to do',
    detail: 'Technical detail',
    lastKnown: 'Last known',
    connection: 'Connection',
    alarms: 'Alarms',
    count: 'Devices',
    software: 'Version',
    allWell: 'Everything works.',
    someWrong: (count: number) =>
      count === 1 ? '1 device needs a person.' : `${count} devices need a person.`,
    away: 'The site is not connected. What its devices do is not known; gates go on by themselves.',
    noDevices: 'The site has not reported any devices',
    noDevicesHint: 'They appear here as soon as its computer is enrolled and runs.',
    noSites: 'There are no sites',
    noSitesHint: 'Devices belong to a site.',
    changes: 'Last changes',
    noChanges: 'Nothing has changed yet.',
    when: 'When',
    tryAgain: 'Try again',
    trying: 'The site is connecting to it …',
    checked: 'Checked just now:',
    behind: 'Changes on the way to it',
    events: 'Events from it',
    eventsOf: (acknowledged: number, seq: number) => `${acknowledged} of ${seq} stored`,
    enrol: 'Enrol a computer',
    enrolHint:
      'A code connects the computer at the site with this cloud. It works once; a code made before stops working.',
    makeCode: 'Make a code',
    code: 'Code',
    command: 'Command at the site’s computer',
    runsOut: (left: string) => `Valid for ${left}`,
    ranOut: 'The code has run out. Make a new one.',
    enrolled: 'The site has connected.',
    credentials: 'Credentials',
    credentialsHint: 'The secret with which the site logs in. Enrolment makes one by itself.',
    renew: 'Renew the secret',
    renewOf: (site: string) => `Renew the secret of ${site}`,
    renewHint: 'The secret in use stops working at once: the site is not connected until it has the new one.',
    revoke: 'Revoke access',
    revokeOf: (site: string) => `Revoke the access of ${site}`,
    revokeHint: 'The site is disconnected at once. Its gates go on with what they know, and prices grow old.',
    secret: 'New secret, shown only now',
    revokedDone: 'Access revoked',
  },
  {
    title: 'Tæki',
    tabs: { devices: 'Tæki', connection: 'Tenging' },
    site: 'Bílastæði',
    device: 'Tæki',
    state: 'Staða',
    since: 'Síðan',
    advice: 'Hvað á að gera',
    detail: 'Tæknileg lýsing',
    lastKnown: 'Síðast vitað',
    connection: 'Tenging',
    alarms: 'Bilanir',
    count: 'Tæki',
    software: 'Útgáfa',
    allWell: 'Allt virkar.',
    someWrong: (count: number) =>
      count % 10 === 1 && count % 100 !== 11
        ? `${count} tæki þarf að sinna.`
        : `${count} tækjum þarf að sinna.`,
    away: 'Bílastæðið er ótengt. Ekki er vitað hvað tækin gera; hliðin virka áfram án tengingar.',
    noDevices: 'Bílastæðið hefur ekki tilkynnt nein tæki',
    noDevicesHint: 'Þau birtast hér um leið og tölva þess er skráð og gengur.',
    noSites: 'Engin bílastæði',
    noSitesHint: 'Tæki tilheyra bílastæði.',
    changes: 'Síðustu breytingar',
    noChanges: 'Ekkert hefur breyst enn.',
    when: 'Hvenær',
    tryAgain: 'Reyna aftur',
    trying: 'Staðurinn tengist tækinu …',
    checked: 'Athugað rétt í þessu:',
    behind: 'Breytingar á leið til þess',
    events: 'Atburðir frá því',
    eventsOf: (acknowledged: number, seq: number) => `${acknowledged} af ${seq} vistaðir`,
    enrol: 'Skrá tölvu',
    enrolHint:
      'Kóði tengir tölvuna á staðnum við þetta ský. Hann virkar einu sinni og fyrri kóði fellur úr gildi.',
    makeCode: 'Búa til kóða',
    code: 'Kóði',
    command: 'Skipun í tölvunni á staðnum',
    runsOut: (left: string) => `Gildir í ${left}`,
    ranOut: 'Kóðinn er útrunninn. Búðu til nýjan.',
    enrolled: 'Bílastæðið hefur tengst.',
    credentials: 'Auðkenni',
    credentialsHint:
      'Leyndarmálið sem bílastæðið notar til að skrá sig inn. Skráning býr það til sjálfkrafa.',
    renew: 'Endurnýja leyndarmálið',
    renewOf: (site: string) => `Endurnýja leyndarmál: ${site}`,
    renewHint: 'Núverandi leyndarmál hættir strax að virka: bílastæðið er ótengt þar til það fær það nýja.',
    revoke: 'Afturkalla aðgang',
    revokeOf: (site: string) => `Afturkalla aðgang: ${site}`,
    revokeHint: 'Bílastæðið missir strax tenginguna. Hliðin nota áfram það sem þau vita og verð úreldast.',
    secret: 'Nýtt leyndarmál, aðeins sýnt núna',
    revokedDone: 'Aðgangur afturkallaður',
  },
);

export function stateName(state: DeviceState): string {
  return DEVICE_STATE_WORDS[LANGUAGE][state];
}

const PASSING: readonly DeviceState[] = ['backlog', 'clock-off', 'low', 'outdated', 'silent'];

export function stateTone(state: DeviceState): Tone {
  if (state === 'ok') return 'positive';
  if (state === 'unknown' || state === 'gone') return 'neutral';
  return PASSING.includes(state) ? 'caution' : 'negative';
}
