/** The facts about one call that a sample needs. */
export interface SampleCall {
  method: string;
  /** The path, with its parameters in braces: `/visit/{id}`. */
  path: string;
  /** Query parameters that the call cannot do without. */
  query: readonly { name: string; example: string }[];
  /** Header or query parameter that proves who calls; null: anyone may. */
  proof: { in: 'header' | 'query'; name: string; value: string } | null;
  body: { contentType: string; example: unknown } | null;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a sample
const TYPESCRIPT_TOKEN = '${token}';

/** The call as a shell command. `$CLOUD` is the address of the cloud, `$TOKEN` the proof. */
export function curlSample(call: SampleCall): string {
  const parts = [`curl -X ${call.method} "$CLOUD${address(call, '$TOKEN')}"`];
  for (const [name, value] of headers(call, '$TOKEN')) parts.push(`-H "${name}: ${value}"`);
  if (call.body) {
    parts.push(
      isJson(call.body) ? `-d '${json(call.body.example).replaceAll("'", `'\\''`)}'` : '--data-binary @file',
    );
  }
  return parts.join(' \\\n  ');
}

/** The call with `fetch`, in a module of TypeScript. */
export function typeScriptSample(call: SampleCall): string {
  const fields = [
    ...(call.method === 'GET' ? [] : [`method: '${call.method}',`]),
    ...headerField(call),
    ...(call.body
      ? [`body: ${isJson(call.body) ? `JSON.stringify(${json(call.body.example)})` : 'file'},`]
      : []),
  ];
  const options = fields.length === 0 ? '' : `, {\n${indent(fields.join('\n'))}\n}`;
  return [
    `const response = await fetch(\`\${cloud}${address(call, TYPESCRIPT_TOKEN)}\`${options});`,
    'if (!response.ok) throw new Error(await response.text());',
    'const answer = await response.json();',
  ].join('\n');
}

function headerField(call: SampleCall): string[] {
  const lines = headers(call, TYPESCRIPT_TOKEN).map(
    ([name, value]) => `'${name}': ${value.includes('${') ? `\`${value}\`` : `'${value}'`},`,
  );
  return lines.length === 0 ? [] : [`headers: {\n${indent(lines.join('\n'))}\n},`];
}

function headers({ proof, body }: SampleCall, token: string): [string, string][] {
  return [
    ...(proof?.in === 'header'
      ? [[proof.name, proof.value.replace('TOKEN', token)] as [string, string]]
      : []),
    ...(body ? [['Content-Type', body.contentType] as [string, string]] : []),
  ];
}

function address({ path, query, proof }: SampleCall, token: string): string {
  const named = query.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  if (proof?.in === 'query') named.push(`${proof.name}=${token}`);
  return named.length === 0 ? path : `${path}?${named.join('&')}`;
}

function isJson({ contentType }: { contentType: string }): boolean {
  return contentType === 'application/json';
}

function json(example: unknown): string {
  return JSON.stringify(example, null, 2);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
