import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { NO_CHANGES, readSettingChanges } from '../../calls/setting-changes.ts';
import { can, useSession } from '../../shell/session.ts';
import { type Site, siteApi } from '../../shell/site.ts';
import { amountText, parseAmount } from '../../ui/amount.ts';
import { AmountField } from '../../ui/amount-field.tsx';
import { Button } from '../../ui/button.tsx';
import { moneyText } from '../../ui/money.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { wallText } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useApprovalNotice } from '../../ui/use-approval-notice.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { LANGUAGE } from '../../words/words.ts';
import { APPROVAL } from './approval-words.ts';

type Limits = Site['approvalLimits'];
const NAMES = ['refund', 'waiver', 'credit', 'close'] as const satisfies readonly (keyof Limits)[];

/** Above which amounts a site needs a second person, each with its last change. */
export function LimitsCard({ site }: { site: Site }) {
  const { id, currency, timeZone, approvalLimits } = site;
  const session = useSession();
  const changes =
    useQuery({
      queryKey: ['site', id, 'limit-changes'],
      queryFn: () => readSettingChanges(id, 'site.limits'),
      enabled: can(session, 'see-audit'),
    }).data ?? NO_CHANGES;
  const toasts = useToasts();
  const asText = (limit: number | null) => (limit === null ? '' : amountText(limit, currency, LANGUAGE));
  const stored = {
    refund: asText(approvalLimits.refund),
    waiver: asText(approvalLimits.waiver),
    credit: asText(approvalLimits.credit),
    close: asText(approvalLimits.close),
  };
  const [typed, setTyped] = useState(stored);
  const save = useSubmit(
    (json: Partial<Limits>, headers) =>
      read(siteApi.sites[':id']['approval-limits'].$put({ param: { id }, json }, { headers })),
    {
      invalidates: [['sites'], ['site', id]],
      onDone: () => toasts.done(APPROVAL.limitsSaved),
      onWaits: useApprovalNotice(() => setTyped(stored)),
    },
  );
  const isEmpty = (name: keyof Limits) => typed[name].trim() === '';
  const limitOf = (name: keyof Limits) =>
    isEmpty(name) ? null : parseAmount(typed[name], currency, LANGUAGE);
  const isWrong = (name: keyof Limits) => !isEmpty(name) && limitOf(name) === null;
  const isChangedLimit = (name: keyof Limits) => typed[name] !== stored[name];
  const isReady = NAMES.some(isChangedLimit) && !NAMES.some(isWrong);
  const hintOf = (name: keyof Limits) => {
    const change = changes.get(name);
    const last = change && COMMON.lastChange({ when: wallText(change.on, timeZone), who: change.who });
    return [APPROVAL.limitHints[name], last].filter((text) => text !== undefined).join(' ');
  };
  return (
    <form
      className="card form"
      aria-label={APPROVAL.limits}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady || save.isPending) return;
        save.mutate(Object.fromEntries(NAMES.filter(isChangedLimit).map((name) => [name, limitOf(name)])));
      }}
    >
      <h2>{APPROVAL.limits}</h2>
      <p>{APPROVAL.limitsHint}</p>
      {NAMES.map((name) => (
        <AmountField
          key={name}
          label={`${APPROVAL.limitNames[name]} (${currency})`}
          currency={currency}
          hint={hintOf(name)}
          value={typed[name]}
          isRequired={false}
          mistake={isWrong(name) ? APPROVAL.notAnAmount : undefined}
          onChange={({ text }) => setTyped({ ...typed, [name]: text })}
        />
      ))}
      <RefusedNotice error={save.error} />
      <div>
        <Button type="submit" look="primary" isDisabled={!isReady} isPending={save.isPending}>
          {APPROVAL.setLimits}
        </Button>
      </div>
    </form>
  );
}

/** Limits as they were asked for; those that stay are left out. */
export function limitsText(limits: Readonly<Record<string, unknown>>, currency: string): string {
  return NAMES.flatMap((name) => {
    const limit = limits[name];
    if (limit === undefined) return [];
    const text = typeof limit === 'number' ? moneyText({ amountMinor: limit, currency }) : APPROVAL.never;
    return [`${APPROVAL.limitNames[name]}: ${text}`];
  }).join(' · ');
}
