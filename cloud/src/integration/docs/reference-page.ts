import { html } from 'hono/html';
import { curlSample, type SampleCall, typeScriptSample } from './call-samples.ts';
import { METHODS, type OpenApiDocument, type Operation } from './openapi-document.ts';
import { exampleOf, fieldsOf, type Html, inlineProse, prose, type Schema, typeOf } from './schema-fields.ts';

/** One call of the API, as the page shows it. */
interface Call {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

/** The whole reference as one page: all of it is there at once, so the browser's own search finds every word. */
export function referencePage(document: OpenApiDocument): Html {
  const calls = callsOf(document);
  const tags = [...new Set(calls.map(tagOf))];
  const schemas = Object.entries(document.components?.schemas ?? {});
  return html`<!doctype html>
<html lang="en" data-sample="curl">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${document.info.title} API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/reference.css">
    <script type="module" src="/docs/reference.js"></script>
  </head>
  <body>
    <a class="skip" href="#top">Skip to the reference</a>
    <div class="side">
    <header>
      <p class="brand">${document.info.title} API <small>${document.info.version}</small></p>
      <form role="search"><label for="search">Search calls</label><input id="search" type="search" placeholder="plate, refund, /visits …" autocomplete="off"><p id="hits" role="status"></p></form>
      <fieldset id="languages"><legend>Samples</legend>
        <label><input type="radio" name="sample" value="curl" checked> curl</label>
        <label><input type="radio" name="sample" value="typescript"> TypeScript</label>
      </fieldset>
    </header>
    <nav aria-label="Calls">
      <ul>${tags.map(
        (tag) =>
          html`<li class="group"><a href="#${tagId(tag)}">${tag}</a><ul>${calls
            .filter((call) => tagOf(call) === tag)
            .map(
              ({ id, method, path, operation }) =>
                html`<li data-call="${id}"><a href="#${id}" title="${operation.summary ?? ''}"><span class="method ${method.toLowerCase()}">${method}</span><span>${path}</span></a></li>`,
            )}</ul></li>`,
      )}<li class="group"><a href="#schemas">Schemas</a></li></ul>
    </nav>
    </div>
    <main id="top" tabindex="-1">
      <h1>${document.info.title} API</h1>
      ${prose(document.info.description)}
      <p><a href="/openapi.json">openapi.json</a> describes the same for programs.</p>
      ${tags.map(
        (tag) =>
          html`<section class="group"><h2 id="${tagId(tag)}">${tag}</h2>${calls
            .filter((call) => tagOf(call) === tag)
            .map((call) => callArticle(call, document))}</section>`,
      )}
      <section class="group"><h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => schemaArticle(name, schema, document))}</section>
    </main>
  </body>
</html>
`;
}

function callsOf(document: OpenApiDocument): Call[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((name) => {
      const operation = item[name];
      const method = name.toUpperCase();
      return operation ? [{ id: idOf(`${method} ${path}`), method, path, operation }] : [];
    }),
  );
}

function callArticle(call: Call, document: OpenApiDocument): Html {
  const { id, method, path, operation } = call;
  const sample = sampleOf(call, document);
  return html`<article id="${id}" class="call">
  <h3><a href="#${id}">${operation.summary ?? path}</a></h3>
  <p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>${operation.deprecated ? ' (deprecated)' : ''}</p>
  ${prose(operation.description)}
  ${parameters(operation)}
  ${requestBody(operation, document)}
  ${sampleBlock('curl', curlSample(sample))}
  ${sampleBlock('typescript', typeScriptSample(sample))}
  <h4>Answers</h4>
  <ul class="answers">${Object.entries(operation.responses ?? {}).map(([status, response]) => answer(status, response, document))}</ul>
</article>`;
}

function parameters(operation: Operation): Html {
  const all = operation.parameters ?? [];
  if (all.length === 0) return '';
  return html`<h4>Parameters</h4><ul class="fields">${all.map((parameter) =>
    '$ref' in parameter
      ? ''
      : html`<li><code class="name">${parameter.name}</code> <span class="type">${parameter.schema ? typeOf(parameter.schema) : 'string'}</span> <span class="note">${parameter.in}${parameter.required ? ', required' : ''}</span>${prose(parameter.description)}</li>`,
  )}</ul>`;
}

function requestBody(operation: Operation, document: OpenApiDocument): Html {
  const body = operation.requestBody;
  if (!body || '$ref' in body) return '';
  return html`<h4>Body</h4>${prose(body.description)}${Object.entries(body.content).map(
    ([type, { schema }]) =>
      html`<p><code>${type}</code>${schema && '$ref' in schema ? html` ${typeOf(schema)}` : ''}</p>${schema ? fieldsOf(schema, schemasOf(document)) : ''}`,
  )}`;
}

type Answer = NonNullable<Operation['responses']>[string];
type Content = Readonly<Record<string, { schema?: Schema }>>;

function answer(status: string, response: Answer, document: OpenApiDocument): Html {
  if ('$ref' in response) return '';
  const content: Content | undefined = response.content;
  const [schema] = Object.values(content ?? {}).map((media) => media.schema);
  const fields = schema && status.startsWith('2') ? fieldsOf(schema, schemasOf(document)) : '';
  return html`<li><code class="name">${status}</code> ${inlineProse(response.description)}${schema ? html` <span class="type">${typeOf(schema)}</span>` : ''}${fields === '' ? '' : html`<details><summary>Fields</summary>${fields}</details>`}</li>`;
}

function sampleBlock(language: 'curl' | 'typescript', text: string): Html {
  const name = language === 'curl' ? 'curl' : 'TypeScript';
  return html`<figure class="sample ${language}"><figcaption>${name} <button type="button" class="copy">Copy</button></figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}

function schemaArticle(name: string, schema: Schema, document: OpenApiDocument): Html {
  const fields = fieldsOf(schema, schemasOf(document));
  return html`<article id="schema-${name}" class="schema"><h3><a href="#schema-${name}">${name}</a></h3>${prose(schema.description)}${fields === '' ? html`<p class="type">${typeOf(schema)}</p>` : fields}</article>`;
}

function sampleOf({ method, path, operation }: Call, document: OpenApiDocument): SampleCall {
  const query = (operation.parameters ?? []).flatMap((parameter) =>
    '$ref' in parameter || parameter.in !== 'query' || !parameter.required
      ? []
      : [{ name: parameter.name, example: exampleText(parameter, document) }],
  );
  return { method, path, query, proof: proofOf(operation, document), body: bodyOf(operation, document) };
}

function bodyOf(operation: Operation, document: OpenApiDocument): SampleCall['body'] {
  const body = operation.requestBody;
  if (!body || '$ref' in body) return null;
  const [contentType, content] = Object.entries(body.content)[0] ?? [];
  if (contentType === undefined) return null;
  const example = content?.example ?? (content?.schema ? exampleOf(content.schema, schemasOf(document)) : {});
  return { contentType, example };
}

function exampleText(parameter: { example?: unknown; schema?: Schema }, document: OpenApiDocument): string {
  const example = parameter.example ?? (parameter.schema && exampleOf(parameter.schema, schemasOf(document)));
  return typeof example === 'string' || typeof example === 'number' ? String(example) : '…';
}

/** How a caller proves who it is; the first way, where there are several. */
function proofOf(operation: Operation, document: OpenApiDocument): SampleCall['proof'] {
  const [name] = Object.keys(operation.security?.[0] ?? {});
  const scheme = name === undefined ? undefined : document.components?.securitySchemes?.[name];
  if (!scheme || '$ref' in scheme) return null;
  if (scheme.type === 'http') return { in: 'header', name: 'Authorization', value: 'Bearer TOKEN' };
  const { in: place, name: key } = scheme;
  if (key === undefined) return null;
  return { in: place === 'query' ? 'query' : 'header', name: key, value: 'TOKEN' };
}

function schemasOf(document: OpenApiDocument): Readonly<Record<string, Schema>> {
  return document.components?.schemas ?? {};
}

function tagOf({ operation }: Call): string {
  return operation.tags?.[0] ?? 'Other';
}

function tagId(tag: string): string {
  return `group-${idOf(tag)}`;
}

function idOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
