import { Badge } from '@hlid/ui/badge';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { can, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteNames } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { type WebhookDraft, WebhookFields, webhookApi } from './webhook-form.tsx';
import { WORDS } from './webhook-words.ts';

/** The addresses to which events are sent, and whether they arrive. */
export function WebhooksPage() {
  const { site = 'all' } = useParams({ strict: false });
  const nameOfSite = useSiteNames();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const open = (id: string) => void navigate({ to: `/${site}/webhooks/${id}` });
  const list = useList(
    ['webhooks'],
    ({ id }) => id,
    () => read(webhookApi.webhooks.$get()),
  );
  const mayAdd = can(useSession(), 'new-webhook');
  useShortcut('n', WORDS.create, mayAdd ? () => setCreating(true) : null);
  return (
    <Page
      title={WORDS.title}
      actions={
        mayAdd && (
          <Button look="primary" onPress={() => setCreating(true)}>
            <Plus size={14} aria-hidden="true" /> {WORDS.create}
          </Button>
        )
      }
    >
      <ListView
        list={list}
        label={WORDS.title}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: `/${site}/webhooks/${id}` })}
        columns={[
          { id: 'name', title: WORDS.name, cell: ({ name }) => name },
          { id: 'status', title: WORDS.status, cell: (one) => <WebhookState webhook={one} /> },
          { id: 'url', title: WORDS.url, isWide: true, cell: ({ url }) => url },
          {
            id: 'types',
            title: WORDS.types,
            cell: ({ types }) => (types === null ? WORDS.allTypes : WORDS.typeCount({ count: types.length })),
          },
          {
            id: 'site',
            title: WORDS.site,
            cell: ({ siteId }) => (siteId === null ? WORDS.allSites : nameOfSite(siteId)),
          },
        ]}
        empty={
          <Empty title={WORDS.empty}>
            <p>{WORDS.emptyHint}</p>
          </Empty>
        }
      />
      {isCreating && <NewWebhookDialog onOpen={open} onClose={() => setCreating(false)} />}
    </Page>
  );
}

export function WebhookState({
  webhook: { status, failures },
}: {
  webhook: { status: 'active' | 'paused'; failures: number };
}) {
  if (status === 'paused') return <Badge>{WORDS.statuses.paused}</Badge>;
  return failures > 0 ? (
    <Badge tone="negative">{WORDS.failing}</Badge>
  ) : (
    <Badge tone="positive">{WORDS.statuses.active}</Badge>
  );
}

function NewWebhookDialog({ onOpen, onClose }: { onOpen: (id: string) => void; onClose: () => void }) {
  const [draft, setDraft] = useState<WebhookDraft>({ name: '', url: '', types: null, siteId: null });
  const create = useSubmit(
    (json: WebhookDraft, headers) => read(webhookApi.webhooks.$post({ json }, { headers })),
    { invalidates: [['webhooks']] },
  );
  if (create.data) {
    const { id, name, secret } = create.data;
    return (
      <Dialog title={WORDS.madeTitle({ name })} onClose={onClose}>
        <p>{WORDS.secretHint}</p>
        <CopyableText label={WORDS.secret} value={secret} />
        <footer>
          <Button look="primary" onPress={() => onOpen(id)}>
            {WORDS.deliveries}
          </Button>
        </footer>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={WORDS.create}
      submit={WORDS.createNamed({ name: draft.name })}
      error={create.error}
      isBusy={create.isPending}
      onSubmit={() => create.mutate(draft)}
      onClose={onClose}
    >
      <WebhookFields draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}
