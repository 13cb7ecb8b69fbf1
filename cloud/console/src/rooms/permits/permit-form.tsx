import { weekdayNames } from '@hlid/protocol/base/weekdays/weekday-name';
import { Plus, X } from 'lucide-react';
import { AccountPicker, type Picked } from '../../shell/pickers.tsx';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useSites, useTimeZone } from '../../shell/site.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField, ChoiceField, TextField } from '../../ui/field.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { WEEKDAYS } from '../../words/codes.ts';
import { COMMON } from '../../words/common.ts';
import type { Permit } from './permit-api.ts';
import { PERMIT } from './permit-words.ts';

/** A permit while it is typed. */
export interface PermitDraft {
  plate: string;
  reason: string;
  objectType: Permit['objectType'];
  siteId: string | null;
  activeFrom: string | null;
  expireOn: string | null;
  rules: Permit['rules'];
  collection: string | null;
}

export function draftOf(permit: Permit): PermitDraft {
  const { plate, reason, objectType, siteId, activeFrom, expireOn, rules, collection } = permit;
  return { plate, reason, objectType, siteId, activeFrom, expireOn, rules, collection };
}

export function isComplete({ plate, reason, rules }: PermitDraft): boolean {
  return plate.trim() !== '' && reason.trim() !== '' && rules.every(({ weekdays }) => weekdays.length > 0);
}

/** @param owner the account that gets the permit; absent if it cannot be chosen */
export function PermitFields({
  draft,
  onChange: set,
  owner,
}: {
  draft: PermitDraft;
  onChange: (changes: Partial<PermitDraft>) => void;
  owner?: { value: Picked | null; onChange: (picked: Picked | null) => void };
}) {
  const session = useSession();
  const timeZone = useTimeZone(draft.siteId);
  const isOffice = isOperator(session);
  return (
    <>
      <div className="row">
        <TextField
          label={PERMIT.plate}
          name="plate"
          value={draft.plate}
          onChange={(plate) => set({ plate })}
          autoComplete="off"
          isRequired
          autoFocus
        />
        <TextField
          label={PERMIT.reason}
          name="reason"
          value={draft.reason}
          onChange={(reason) => set({ reason })}
          isRequired
        />
      </div>
      {isOffice && (
        <ChoiceField
          label={PERMIT.effect}
          hint={draft.objectType === 'block' ? PERMIT.blockHint : undefined}
          value={draft.objectType}
          choices={[
            ['allow', PERMIT.effects.allow],
            ['block', PERMIT.effects.block],
          ]}
          onChange={(objectType) => set({ objectType })}
        />
      )}
      <SiteChoice siteId={draft.siteId} onChange={(siteId) => set({ siteId })} />
      <div className="row">
        <MomentField
          label={PERMIT.from}
          name="activeFrom"
          hint={PERMIT.fromHint}
          value={draft.activeFrom}
          timeZone={timeZone}
          onChange={(activeFrom) => set({ activeFrom })}
        />
        <MomentField
          label={PERMIT.until}
          name="expireOn"
          hint={isOffice ? PERMIT.untilHint : PERMIT.untilOwnHint}
          value={draft.expireOn}
          timeZone={timeZone}
          onChange={(expireOn) => set({ expireOn })}
        />
      </div>
      <RulesField rules={draft.rules} onChange={(rules) => set({ rules })} />
      {isOffice && (
        <TextField
          label={PERMIT.group}
          name="collection"
          hint={PERMIT.groupHint}
          value={draft.collection ?? ''}
          onChange={(text) => set({ collection: text === '' ? null : text })}
        />
      )}
      {owner && isOffice && can(session, 'see-accounts') && (
        <AccountPicker label={PERMIT.owner} hint={PERMIT.ownerHint} {...owner} />
      )}
    </>
  );
}

/** The sites of an operator; for others those that their account names, where it names several. */
function SiteChoice({
  siteId,
  onChange,
}: {
  siteId: string | null;
  onChange: (siteId: string | null) => void;
}) {
  const session = useSession();
  const sites = useSites();
  const isOffice = isOperator(session);
  const named = session.account.options.permitSites ?? [];
  const choices = isOffice
    ? sites.map(({ id, name }) => [id, name] as const)
    : named.map((id) => [id, id] as const);
  const isEverywhere = isOffice ? session.siteIds === null : named.length === 0;
  if (!isOffice && choices.length < 2) return null;
  return (
    <ChoiceField
      label={PERMIT.site}
      value={siteId ?? ''}
      choices={[...(isEverywhere ? [['', COMMON.allSites] as const] : []), ...choices]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
    />
  );
}

const WORKING_DAYS = { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };
const MAX_RULES = 7;

function RulesField({
  rules,
  onChange,
}: {
  rules: Permit['rules'];
  onChange: (rules: Permit['rules']) => void;
}) {
  const replace = (place: number, changes: Partial<Permit['rules'][number]>) =>
    onChange(rules.map((rule, at) => (at === place ? { ...rule, ...changes } : rule)));
  return (
    <div className="rules">
      {rules.map((rule, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name but their place
        <fieldset key={place}>
          <legend>{PERMIT.rule({ n: place + 1 })}</legend>
          <div className="weekdays">
            {weekdayNames(WEEKDAYS.short).map((name, index) => {
              const day = index + 1;
              const has = rule.weekdays.includes(day);
              const toggled = has
                ? rule.weekdays.filter((one) => one !== day)
                : [...rule.weekdays, day].sort((a, b) => a - b);
              return (
                <CheckField
                  key={name}
                  label={name}
                  isSelected={has}
                  onChange={() => replace(place, { weekdays: toggled })}
                />
              );
            })}
          </div>
          <div className="row">
            <TimeField
              label={PERMIT.ruleFrom}
              value={rule.from}
              onChange={(from) => replace(place, { from })}
            />
            <TimeField label={PERMIT.ruleTo} value={rule.to} onChange={(to) => replace(place, { to })} />
            <IconButton
              label={`${PERMIT.removeRule}: ${PERMIT.rule({ n: place + 1 })}`}
              onPress={() => onChange(rules.filter((_, at) => at !== place))}
            >
              <X size={14} />
            </IconButton>
          </div>
        </fieldset>
      ))}
      {rules.length < MAX_RULES && (
        <Button look="quiet" onPress={() => onChange([...rules, WORKING_DAYS])}>
          <Plus size={14} aria-hidden="true" /> {PERMIT.addRule}
        </Button>
      )}
    </div>
  );
}
