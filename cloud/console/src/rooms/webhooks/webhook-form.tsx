import type { webhookRoutes } from '@hlid/cloud/integration/webhooks/webhook-routes';
import type { IntegrationEventType } from '@hlid/cloud/records/webhooks/integration-event-table';
import { apiOf } from '../../calls/api.ts';
import { useSites } from '../../shell/site.ts';
import { CheckField, ChoiceField, TextField } from '../../ui/field.tsx';
import { EVENT_WORDS, WORDS } from './webhook-words.ts';

export const webhookApi = apiOf<typeof webhookRoutes>();

/** The settings of a webhook. */
export interface WebhookDraft {
  name: string;
  url: string;
  /** Null: all. */
  types: IntegrationEventType[] | null;
  siteId: string | null;
}

const TYPES = Object.entries(EVENT_WORDS).map(([type, name]) => ({ type, name }));

function isType(type: string): type is IntegrationEventType {
  return type in EVENT_WORDS;
}

export function WebhookFields({
  draft,
  onChange,
}: {
  draft: WebhookDraft;
  onChange: (draft: WebhookDraft) => void;
}) {
  const sites = useSites();
  const chosen: readonly string[] = draft.types ?? [];
  const choose = (type: string, isChosen: boolean) => {
    const rest = chosen.filter((one) => one !== type);
    onChange({ ...draft, types: (isChosen ? [...rest, type] : rest).filter(isType) });
  };
  return (
    <>
      <TextField
        label={WORDS.name}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        isRequired
        autoFocus
      />
      <TextField
        label={WORDS.url}
        hint={WORDS.urlHint}
        value={draft.url}
        onChange={(url) => onChange({ ...draft, url })}
        isRequired
      />
      <ChoiceField
        label={WORDS.site}
        value={draft.siteId ?? ''}
        choices={[['', WORDS.allSites], ...sites.map(({ id, name }) => [id, name] as const)]}
        onChange={(siteId) => onChange({ ...draft, siteId: siteId === '' ? null : siteId })}
      />
      <fieldset className="form">
        <legend className="label">{WORDS.types}</legend>
        <CheckField
          label={WORDS.allTypes}
          isSelected={draft.types === null}
          onChange={(isAll) => onChange({ ...draft, types: isAll ? null : [] })}
        />
        {draft.types !== null && (
          <div className="row">
            {TYPES.map(({ type, name }) => (
              <CheckField
                key={type}
                label={name}
                isSelected={chosen.includes(type)}
                onChange={(isChosen) => choose(type, isChosen)}
              />
            ))}
          </div>
        )}
      </fieldset>
    </>
  );
}
