import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { Bookmark, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { answered, read } from '../../calls/api.ts';
import { useAddress } from '../../shell/room-address.ts';
import { isOperator, useSession } from '../../shell/session.ts';
import { parseSearch, stringifySearch, useFilters } from '../../shell/use-filters.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { viewApi } from './visit-api.ts';
import { filtersOf } from './visit-query.ts';
import { VISIT } from './visit-words.ts';

const VIEW_QUERIES = [['views']] as const;
const BASE = '/console';
/** A link is the shown one where the filters are the same too. */
const EXACTLY = { exact: true, includeSearch: true };

async function listViews() {
  const { data } = await read(viewApi.views.$get());
  return data.filter(({ url }) => /^\/console\/[^/]+\/visits(\?|$)/.test(url));
}
type View = Awaited<ReturnType<typeof listViews>>[number];

/** Saved addresses of the list, as tabs; the one that is shown can be renamed, shared and deleted. */
export function SavedViews() {
  const addressOf = useAddress();
  const { filters } = useFilters();
  const shown = filtersOf(filters);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data: views = [] } = useQuery({ queryKey: ['views'], queryFn: listViews });
  const [editing, setEditing] = useState<View | 'new' | null>(null);
  const isAny = Object.keys(shown).length > 0;
  const current = views.find((view) => isAt(view, path, shown)) ?? null;
  return (
    <nav className="views" aria-label={VISIT.views}>
      <ul>
        <li>
          <Link to={addressOf('visits')} search={{}} activeOptions={EXACTLY}>
            {VISIT.everything}
          </Link>
        </li>
        {views.map((view) => {
          const { pathname, search } = partsOf(view);
          return (
            <li key={view.id}>
              <Link
                to={pathname}
                search={search}
                activeOptions={EXACTLY}
                title={view.own ? undefined : VISIT.sharedBy({ name: view.by ?? '' })}
              >
                {view.name}
              </Link>
              {view === current && view.own && <ViewMenu view={view} onRename={() => setEditing(view)} />}
            </li>
          );
        })}
      </ul>
      {isAny && current === null && (
        <Button look="quiet" onPress={() => setEditing('new')}>
          <Bookmark size={14} aria-hidden="true" /> {VISIT.saveView}
        </Button>
      )}
      {editing !== null && (
        <ViewDialog
          view={editing === 'new' ? null : editing}
          url={`${BASE}${path}${stringifySearch(shown)}`}
          onClose={() => setEditing(null)}
        />
      )}
    </nav>
  );
}

function partsOf({ url }: View): { pathname: string; search: Record<string, string> } {
  const [pathname = '', search = ''] = url.slice(BASE.length).split('?');
  return { pathname, search: parseSearch(search) };
}

function isAt(view: View, path: string, shown: Readonly<Record<string, string>>): boolean {
  const { pathname, search } = partsOf(view);
  const names = Object.keys(search);
  return (
    pathname === path &&
    names.length === Object.keys(shown).length &&
    names.every((name) => shown[name] === search[name])
  );
}

function ViewMenu({ view, onRename }: { view: View; onRename: () => void }) {
  const session = useSession();
  const toasts = useToasts();
  const reload = useReload();
  const { id, name, url, shared } = view;
  const change = async (json: { shared?: boolean }) => {
    await read(viewApi.views[':id'].$put({ param: { id }, json }));
    reload(VIEW_QUERIES);
  };
  const remove = async () => {
    await answered(viewApi.views[':id'].$delete({ param: { id } }));
    reload(VIEW_QUERIES);
    toasts.done(VISIT.viewDeleted({ name }), async () => {
      await read(viewApi.views.$post({ json: { name, url, shared } }));
      reload(VIEW_QUERIES);
    });
  };
  const acts: Record<string, () => void> = {
    rename: onRename,
    share: () => void change({ shared: !shared }).catch(toasts.failed),
    delete: () => void remove().catch(toasts.failed),
  };
  return (
    <MenuTrigger>
      <IconButton label={VISIT.viewActs({ name })}>
        <Ellipsis size={14} />
      </IconButton>
      <Popover className="popover">
        <Menu
          className="menu"
          aria-label={VISIT.viewActs({ name })}
          onAction={(key) => acts[String(key)]?.()}
        >
          <MenuItem id="rename">{VISIT.rename}</MenuItem>
          {isOperator(session) && <MenuItem id="share">{shared ? VISIT.unshare : VISIT.share}</MenuItem>}
          <MenuItem id="delete">{VISIT.deleteView}</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function ViewDialog({ view, url, onClose }: { view: View | null; url: string; onClose: () => void }) {
  const session = useSession();
  const toasts = useToasts();
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const save = useSubmit(
    (json: { name: string; shared: boolean }, headers) =>
      view === null
        ? read(viewApi.views.$post({ json: { ...json, url } }, { headers }))
        : read(viewApi.views[':id'].$put({ param: { id: view.id }, json }, { headers })),
    {
      invalidates: VIEW_QUERIES,
      onDone: (saved) => {
        onClose();
        toasts.done(VISIT.viewSaved({ name: saved.name }));
      },
    },
  );
  return (
    <FormDialog
      title={view === null ? VISIT.saveView : VISIT.rename}
      submit={COMMON.save}
      error={save.error}
      isBusy={save.isPending}
      isReady={name.trim() !== ''}
      onSubmit={() => save.mutate({ name: name.trim(), shared })}
      onClose={onClose}
    >
      <TextField label={VISIT.viewName} value={name} onChange={setName} isRequired autoFocus />
      {isOperator(session) && <CheckField label={VISIT.shareView} isSelected={shared} onChange={setShared} />}
    </FormDialog>
  );
}
