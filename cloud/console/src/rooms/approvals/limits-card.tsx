import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { type Site, siteApi } from '../../shell/site.ts';
import { amountText, parseAmount } from '../../ui/amount.ts';
import { AmountField } from '../../ui/amount-field.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useApprovalNotice } from '../../ui/use-approval-notice.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { LANGUAGE } from '../../words/words.ts';
import { APPROVAL } from './approval-words.ts';

type Limits = Site['approvalLimits'];
const NAMES = ['refund', 'waiver', 'credit', 'close'] as const satisfies readonly (keyof Limits)[];

/** Above which amounts a site needs a second person. */
export function LimitsCard({ site }: { site: Site }) {
  const { id, currency, approvalLimits } = site;
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
    (json: Limits, headers) =>
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
  const isChanged = NAMES.some((name) => typed[name] !== stored[name]);
  const isReady = isChanged && !NAMES.some(isWrong);
  return (
    <form
      className="card form"
      aria-label={APPROVAL.limits}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady || save.isPending) return;
        save.mutate({
          refund: limitOf('refund'),
          waiver: limitOf('waiver'),
          credit: limitOf('credit'),
          close: limitOf('close'),
        });
      }}
    >
      <h2>{APPROVAL.limits}</h2>
      <p>{APPROVAL.limitsHint}</p>
      {NAMES.map((name) => (
        <AmountField
          key={name}
          label={`${APPROVAL.limitNames[name]} (${currency})`}
          currency={currency}
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

/** Limits as they were asked for. */
export function limitsText(limits: Readonly<Record<string, unknown>>): string {
  return NAMES.map((name) => {
    const limit = limits[name];
    return `${APPROVAL.limitNames[name]} ${typeof limit === 'number' ? limit : APPROVAL.never}`;
  }).join(' · ');
}
