import { Link } from '@tanstack/react-router';
import { read } from '../../calls/api.ts';
import { readSite, siteApi } from '../../shell/site.ts';
import type { Draft } from '../../ui/draft.ts';
import { EditForm } from '../../ui/edit-form.tsx';
import type { FieldSpec } from '../../ui/fields.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { type SiteDraft, siteDraft, siteEdit } from '../sites/site-draft.ts';
import { SITE_PARTS } from '../sites/site-fields.ts';
import { type Answer, type StepProps, useAnswer } from './opening-api.ts';
import { WORDS } from './opening-words.ts';

const FIELDS: readonly FieldSpec<Draft>[] = SITE_PARTS.flatMap(({ fields }) => fields);
const ABOUT = ['name', 'address', 'openingHours', 'timeZone', 'currency'];
const PLACES = ['capacity', 'permitsOnly'];

export function AboutStep({ siteId }: StepProps) {
  return (
    <SomeSettings
      siteId={siteId}
      title={WORDS.form.about}
      fields={FIELDS.filter(({ name }) => ABOUT.includes(name))}
    />
  );
}

export function ZonesStep({ siteId, opening }: StepProps) {
  return (
    <>
      <SomeSettings
        siteId={siteId}
        title={WORDS.form.places}
        fields={FIELDS.filter(({ name }) => PLACES.includes(name))}
      />
      <p>
        <Link to={`/${siteId}/zones`}>{WORDS.zonesOf({ count: opening.facts.zones })}</Link>
      </p>
    </>
  );
}

export function SellerStep({ siteId }: StepProps) {
  return (
    <SomeSettings
      siteId={siteId}
      title={WORDS.form.seller}
      fields={FIELDS.filter(({ name }) => name.startsWith('seller.'))}
    />
  );
}

/** The form of the site's settings, with a part of its fields. */
function SomeSettings({
  siteId,
  title,
  fields,
}: {
  siteId: string;
  title: string;
  fields: readonly FieldSpec<Draft>[];
}) {
  const param = { id: siteId };
  return (
    <EditForm
      queryKey={['site', siteId]}
      read={() => readSite(siteId)}
      send={({ draft, before }: { draft: SiteDraft; before: SiteDraft }, headers) =>
        read(siteApi.sites[':id'].$put({ param, json: siteEdit(before, draft) }, { headers }))
      }
      invalidates={[['sites'], ['opening']]}
      specs={[{ title, fields }]}
      toDraft={(one) => siteDraft(one, FIELDS)}
    />
  );
}

const KINDS = [
  { answer: 'with-edge', title: WORDS.edge.withEdge, hint: WORDS.edge.withEdgeHint },
  { answer: 'without-edge', title: WORDS.edge.withoutEdge, hint: WORDS.edge.withoutEdgeHint },
] as const satisfies readonly { answer: Answer; title: string; hint: string }[];

export function EdgeStep({ siteId, step }: StepProps) {
  const answer = useAnswer(siteId, 'edge');
  return (
    <>
      <fieldset className="opening-choices">
        <legend className="unseen">{WORDS.steps.edge.title}</legend>
        {KINDS.map((kind) => (
          <button
            key={kind.answer}
            type="button"
            aria-pressed={step.reason === kind.answer}
            disabled={
              answer.isPending || (!step.accepts.includes(kind.answer) && step.reason !== kind.answer)
            }
            onClick={() => {
              if (step.accepts.includes(kind.answer)) answer.mutate({ answer: kind.answer });
            }}
          >
            <strong>{kind.title}</strong>
            <span>{kind.hint}</span>
          </button>
        ))}
      </fieldset>
      <RefusedNotice error={answer.error} />
    </>
  );
}
