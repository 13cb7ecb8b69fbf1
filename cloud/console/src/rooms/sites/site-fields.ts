import { LANGUAGE_NAMES, LANGUAGES } from '@hlid/protocol/base/language';
import { SITE_LIMITS } from '@hlid/protocol/records/site-limits';
import type { Draft } from '../../ui/draft.ts';
import type { FieldSpec } from '../../ui/fields.tsx';
import { WORDS } from './site-words.ts';

type Field = FieldSpec<Draft>;

/** A hundred-thousandth of a degree is a metre. */
const METERS = { digits: 5 };

/** The fields that matter most come first. */
export const SITE_PARTS: readonly { title: string; fields: readonly Field[] }[] = [
  {
    title: WORDS.parts.site,
    fields: [
      { kind: 'text', name: 'name', label: WORDS.name, isRequired: true },
      { kind: 'text', name: 'address', label: WORDS.siteAddress, hint: WORDS.siteAddressHint },
      {
        kind: 'number',
        name: 'latitude',
        ...SITE_LIMITS.latitude,
        ...METERS,
        label: WORDS.latitude,
        hint: WORDS.coordinatesHint,
      },
      { kind: 'number', name: 'longitude', ...SITE_LIMITS.longitude, ...METERS, label: WORDS.longitude },
      { kind: 'text', name: 'openingHours', label: WORDS.openingHours, hint: WORDS.openingHoursHint },
      { kind: 'text', name: 'timeZone', label: WORDS.timeZone, hint: WORDS.timeZoneHint, isRequired: true },
      { kind: 'text', name: 'currency', label: WORDS.currency, isRequired: true },
      {
        kind: 'number',
        name: 'capacity',
        ...SITE_LIMITS.capacity,
        label: WORDS.capacity,
        hint: WORDS.capacityHint,
      },
    ],
  },
  {
    title: WORDS.parts.gates,
    fields: [
      { kind: 'check', name: 'permitsOnly', label: WORDS.permitsOnly },
      { kind: 'check', name: 'opensUnreadable', label: WORDS.opensUnreadable },
      { kind: 'check', name: 'opensUnmatchedExit', label: WORDS.opensUnmatchedExit },
    ],
  },
  {
    title: WORDS.parts.times,
    fields: [
      {
        kind: 'number',
        isRequired: true,
        name: 'entryGraceMinutes',
        ...SITE_LIMITS.entryGraceMinutes,
        label: WORDS.entryGrace,
        hint: WORDS.entryGraceHint,
      },
      {
        kind: 'number',
        isRequired: true,
        name: 'exitGraceMinutes',
        ...SITE_LIMITS.exitGraceMinutes,
        label: WORDS.exitGrace,
      },
    ],
  },
  {
    title: WORDS.parts.drivers,
    fields: [
      { kind: 'text', name: 'helpPhone', label: WORDS.helpPhone, hint: WORDS.helpPhoneHint, type: 'tel' },
      {
        kind: 'choice',
        name: 'language',
        label: WORDS.language,
        choices: [
          ['', WORDS.languageDefault],
          ...LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const),
        ],
      },
      {
        kind: 'choice',
        name: 'hasKiosk',
        label: WORDS.hasKiosk,
        choices: [
          ['', WORDS.kiosk.auto],
          ['true', WORDS.kiosk.yes],
          ['false', WORDS.kiosk.no],
        ],
      },
      {
        kind: 'number',
        name: 'kioskEntryDays',
        ...SITE_LIMITS.kioskEntryDays,
        label: WORDS.kioskEntryDays,
        hint: WORDS.kioskEntryDaysHint,
      },
      { kind: 'check', name: 'takesTips', label: WORDS.takesTips, hint: WORDS.takesTipsHint },
      { kind: 'text', name: 'payOnline', label: WORDS.payOnline, type: 'url' },
      { kind: 'text', name: 'cardGateway', label: WORDS.cardGateway, hint: WORDS.cardGatewayHint },
      {
        kind: 'number',
        name: 'payAfterDays',
        ...SITE_LIMITS.payAfterDays,
        label: WORDS.payAfterDays,
        hint: WORDS.payAfterDaysHint,
      },
      {
        kind: 'number',
        name: 'disputeDays',
        ...SITE_LIMITS.disputeDays,
        label: WORDS.disputeDays,
        hint: WORDS.disputeDaysHint,
      },
      { kind: 'check', name: 'matchesExits', label: WORDS.matchesExits, hint: WORDS.matchesExitsHint },
      {
        kind: 'number',
        name: 'matchProbability',
        ...SITE_LIMITS.matchProbability,
        digits: 4,
        label: WORDS.matchProbability,
        hint: WORDS.matchProbabilityHint,
      },
      {
        kind: 'number',
        name: 'matchMargin',
        ...SITE_LIMITS.matchMargin,
        label: WORDS.matchMargin,
        hint: WORDS.matchMarginHint,
      },
    ],
  },
  {
    title: WORDS.parts.invoices,
    fields: [
      { kind: 'vat', name: 'vat', label: WORDS.vat },
      { kind: 'check', name: 'invoicesOwners', label: WORDS.invoicesOwners },
      {
        kind: 'check',
        name: 'invoicesUnpaid',
        label: WORDS.invoicesUnpaid,
        hint: WORDS.invoicesUnpaidHint,
      },
      { kind: 'check', name: 'chargesServiceFees', label: WORDS.chargesServiceFees },
      { kind: 'check', name: 'chargesLateFees', label: WORDS.chargesLateFees },
      {
        kind: 'number',
        name: 'invoiceDueDays',
        ...SITE_LIMITS.invoiceDueDays,
        label: WORDS.invoiceDueDays,
      },
      {
        kind: 'check',
        name: 'sendsCardReceipts',
        label: WORDS.sendsCardReceipts,
        hint: WORDS.sendsCardReceiptsHint,
      },
      { kind: 'text', name: 'accessPoint', label: WORDS.accessPoint, hint: WORDS.accessPointHint },
    ],
  },
  {
    title: WORDS.parts.seller,
    fields: [
      { kind: 'text', name: 'seller.name', label: WORDS.sellerName, hint: WORDS.sellerHint },
      { kind: 'text', name: 'seller.ssn', label: WORDS.ssn },
      { kind: 'text', name: 'seller.vatNumber', label: WORDS.vatNumber },
      { kind: 'text', name: 'seller.bankAccount', label: WORDS.bankAccount },
      { kind: 'text', name: 'seller.address', label: WORDS.address },
      { kind: 'text', name: 'seller.street', label: WORDS.sellerAddress.street },
      { kind: 'text', name: 'seller.postcode', label: WORDS.sellerAddress.postcode },
      { kind: 'text', name: 'seller.city', label: WORDS.sellerAddress.city },
      { kind: 'text', name: 'seller.country', label: WORDS.sellerAddress.country, hint: WORDS.countryHint },
      {
        kind: 'text',
        name: 'seller.electronicAddress',
        label: WORDS.sellerAddress.electronicAddress,
        hint: WORDS.electronicAddressHint,
      },
      {
        kind: 'picture',
        name: 'seller.logo',
        label: WORDS.logo,
        hint: WORDS.logoHint,
        mistake: WORDS.logoTooLarge,
      },
      { kind: 'text', name: 'receiptUrl', label: WORDS.receiptUrl, hint: WORDS.receiptUrlHint, type: 'url' },
    ],
  },
  {
    title: WORDS.parts.reads,
    fields: [
      {
        kind: 'number',
        name: 'confusableScore',
        ...SITE_LIMITS.confusableScore,
        label: WORDS.confusable,
        digits: 2,
        isRequired: true,
      },
      {
        kind: 'number',
        name: 'passageWindowMs',
        ...SITE_LIMITS.passageWindowMs,
        label: WORDS.passageWindow,
        isRequired: true,
      },
      {
        kind: 'number',
        name: 'standingMs',
        ...SITE_LIMITS.standingMs,
        label: WORDS.standing,
        isRequired: true,
      },
      {
        kind: 'number',
        name: 'sameCarMs',
        ...SITE_LIMITS.sameCarMs,
        label: WORDS.sameCar,
        hint: WORDS.sameCarHint,
        isRequired: true,
      },
      {
        kind: 'number',
        isRequired: true,
        name: 'exitWaitMinutes',
        ...SITE_LIMITS.exitWaitMinutes,
        label: WORDS.exitWait,
      },
      {
        kind: 'number',
        name: 'exitPatienceMs',
        ...SITE_LIMITS.exitPatienceMs,
        label: WORDS.exitPatience,
      },
    ],
  },
  {
    title: WORDS.parts.upgrades,
    fields: [
      {
        kind: 'number',
        name: 'upgradeRing',
        ...SITE_LIMITS.upgradeRing,
        label: WORDS.upgradeRing,
        hint: WORDS.upgradeRingHint,
        isRequired: true,
      },
    ],
  },
];
