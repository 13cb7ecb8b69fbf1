import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answered, read } from '../../calls/api.ts';
import { useSiteNames, useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { type WebhookDraft, WebhookFields, webhookApi } from './webhook-form.tsx';
import { EVENT_WORDS, WORDS } from './webhook-words.ts';
import { WebhookState } from './webhooks-page.tsx';

type Webhook = Awaited<ReturnType<typeof readWebhook>>;
type Asks = 'edit' | 'replay' | 'remove';

function readWebhook(id: string) {
  return read(webhookApi.webhooks[':id'].$get({ param: { id } }));
}

/** One webhook: whether it works, what it sent, and how it is changed. */
export function WebhookPage() {
  const { site = 'all', id = '' } = useParams({ strict: false });
  const query = useQuery({ queryKey: ['webhooks', id], queryFn: () => readWebhook(id) });
  return (
    <QueryView query={query}>
      {(webhook) => <WebhookView webhook={webhook} room={`/${site}/webhooks`} />}
    </QueryView>
  );
}

function WebhookView({ webhook, room }: { webhook: Webhook; room: string }) {
  const { id, name, url, types, siteId, status } = webhook;
  const timeZone = useTimeZone(siteId);
  const nameOfSite = useSiteNames();
  const toasts = useToasts();
  const navigate = useNavigate();
  const [asks, setAsks] = useState<Asks | null>(null);
  const close = () => setAsks(null);
  const setStatus = async (wanted: 'active' | 'paused', headers: Record<string, string>) =>
    await read(webhookApi.webhooks[':id'].$put({ param: { id }, json: { status: wanted } }, { headers }));
  const change = useSubmit(setStatus, {
    invalidates: [['webhooks']],
    onDone: (_, wanted) =>
      toasts.done(wanted === 'paused' ? WORDS.paused : WORDS.resumed, () => change.mutateAsync(status)),
  });
  const turn = (wanted: 'active' | 'paused') => change.mutate(wanted, { onError: toasts.failed });
  const can = (action: Webhook['actions'][number]) => webhook.actions.includes(action);
  return (
    <Page
      title={name}
      actions={
        <>
          <BackLink to={room}>{WORDS.title}</BackLink>
          {can('pause') && (
            <Button onPress={() => turn('paused')} isPending={change.isPending}>
              {WORDS.pause}
            </Button>
          )}
          {can('resume') && (
            <Button onPress={() => turn('active')} isPending={change.isPending}>
              {WORDS.resume}
            </Button>
          )}
          {can('replay') && <Button onPress={() => setAsks('replay')}>{WORDS.replay}</Button>}
          {can('edit') && <Button onPress={() => setAsks('edit')}>{WORDS.edit}</Button>}
          {can('delete') && (
            <Button look="negative" onPress={() => setAsks('remove')}>
              {WORDS.remove}
            </Button>
          )}
        </>
      }
    >
      <Details
        rows={[
          [WORDS.status, <WebhookState key="status" webhook={webhook} />],
          [WORDS.url, url],
          [
            WORDS.types,
            types === null ? WORDS.allTypes : types.map((type) => EVENT_WORDS[type] ?? type).join(', '),
          ],
          [WORDS.site, siteId === null ? WORDS.allSites : nameOfSite(siteId)],
          [WORDS.cursor, String(webhook.cursor)],
          [WORDS.lastError, webhook.lastError],
          [WORDS.failures, webhook.failures === 0 ? null : webhook.failures],
          [
            WORDS.failingSince,
            webhook.failingSince && <Moment key="since" at={webhook.failingSince} timeZone={timeZone} />,
          ],
          [
            WORDS.nextTry,
            webhook.nextTryOn && <Moment key="next" at={webhook.nextTryOn} timeZone={timeZone} />,
          ],
        ]}
      />
      <h2>{WORDS.deliveries}</h2>
      <Deliveries id={id} timeZone={timeZone} />
      {asks === 'edit' && <EditDialog webhook={webhook} onClose={close} />}
      {asks === 'replay' && <ReplayDialog webhook={webhook} onClose={close} />}
      {asks === 'remove' && (
        <FinalDialog
          title={WORDS.remove}
          submit={WORDS.removeNamed({ name })}
          send={() => answered(webhookApi.webhooks[':id'].$delete({ param: { id } }))}
          invalidates={[['webhooks']]}
          done={COMMON.deleted}
          onDone={() => void navigate({ to: room })}
          onClose={close}
        >
          <p>{WORDS.removeHint}</p>
        </FinalDialog>
      )}
    </Page>
  );
}

function Deliveries({ id, timeZone }: { id: string; timeZone: string }) {
  const param = { id };
  const list = useList(
    ['webhooks', id, 'deliveries'],
    (one) => one.id,
    (next: string | undefined) =>
      read(webhookApi.webhooks[':id'].deliveries.$get({ param, query: next ? { next } : {} })),
  );
  return (
    <ListView
      list={list}
      label={WORDS.deliveries}
      idOf={(one) => one.id}
      columns={[
        {
          id: 'event',
          title: WORDS.event,
          cell: ({ event, type }) => `${event} · ${EVENT_WORDS[type] ?? type}`,
        },
        { id: 'on', title: WORDS.when, cell: ({ on }) => <Moment at={on} timeZone={timeZone} /> },
        {
          id: 'answer',
          title: WORDS.answer,
          cell: ({ status }) => (
            <Badge tone={status !== null && status >= 200 && status < 300 ? 'positive' : 'negative'}>
              {status ?? WORDS.noAnswer}
            </Badge>
          ),
        },
        { id: 'took', title: WORDS.took, isNumber: true, cell: ({ tookMs }) => `${tookMs} ms` },
        { id: 'error', title: WORDS.error, isWide: true, cell: ({ error }) => error ?? '' },
      ]}
      empty={
        <Empty title={WORDS.noDeliveries}>
          <p>{WORDS.noDeliveriesHint}</p>
        </Empty>
      }
    />
  );
}

function EditDialog({
  webhook: { id, name, url, types, siteId },
  onClose,
}: {
  webhook: Webhook;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const [draft, setDraft] = useState<WebhookDraft>({ name, url, types, siteId });
  const save = useSubmit(
    (json: WebhookDraft, headers) =>
      read(webhookApi.webhooks[':id'].$put({ param: { id }, json }, { headers })),
    {
      invalidates: [['webhooks']],
      onDone: () => {
        toasts.done(COMMON.saved);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={name}
      submit={COMMON.save}
      error={save.error}
      isBusy={save.isPending}
      onSubmit={() => save.mutate(draft)}
      onClose={onClose}
    >
      <WebhookFields draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}

function ReplayDialog({ webhook: { id, cursor }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const toasts = useToasts();
  const [after, setAfter] = useState<number | null>(Math.max(0, cursor - 1));
  const replay = useSubmit(
    (json: { after: number }, headers) =>
      read(webhookApi.webhooks[':id'].replay.$post({ param: { id }, json }, { headers })),
    {
      invalidates: [['webhooks']],
      onDone: () => {
        toasts.done(WORDS.replayed);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={WORDS.replayTitle}
      submit={WORDS.replayNow({ after })}
      error={replay.error}
      isBusy={replay.isPending}
      isReady={after !== null}
      onSubmit={() => {
        if (after !== null) replay.mutate({ after });
      }}
      onClose={onClose}
    >
      <p>{WORDS.replayHint}</p>
      <NumberField
        label={WORDS.replayAfter}
        value={after ?? Number.NaN}
        minValue={0}
        isGrouped={false}
        onChange={(number) => setAfter(Number.isNaN(number) ? null : number)}
      />
    </FormDialog>
  );
}
