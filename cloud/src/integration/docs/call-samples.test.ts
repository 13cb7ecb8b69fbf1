import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlSample, type SampleCall, typeScriptSample } from './call-samples.ts';

const CREATE: SampleCall = {
  method: 'POST',
  path: '/visit/whitelist',
  query: [],
  proof: { in: 'header', name: 'Authorization', value: 'Bearer TOKEN' },
  body: { contentType: 'application/json', example: { plate: 'ABX12', reason: "Anna's neighbour" } },
};
const PUSH: SampleCall = {
  method: 'POST',
  path: '/photos/{type}',
  query: [{ name: 'date.from', example: '2026-11-01' }],
  proof: { in: 'query', name: 'token', value: 'TOKEN' },
  body: { contentType: 'image/jpeg', example: null },
};

describe('curl', () => {
  it('is a command that a shell understands', () => {
    const script = `curl() { printf '<%s>' "$@"; }; CLOUD=http://cloud TOKEN=t\n${curlSample(CREATE)}`;
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(stdout).toContain('<-X><POST><http://cloud/visit/whitelist><-H><Authorization: Bearer t>');
    expect(JSON.parse(stdout.slice(stdout.indexOf('<-d><') + 5, -1))).toEqual(CREATE.body?.example);
  });

  it('sends a file, and the token where the call wants it', () => {
    const text = curlSample(PUSH);
    expect(text).toContain('"$CLOUD/photos/{type}?date.from=2026-11-01&token=$TOKEN"');
    expect(text).toContain('--data-binary @file');
    expect(text).not.toContain('Authorization');
  });
});

describe('TypeScript', () => {
  it('is a call that can be made', async () => {
    const calls: unknown[][] = [];
    const fetch = async (...call: unknown[]) => {
      calls.push(call);
      return { ok: true, json: async () => ({}) };
    };
    const run = new Function(
      'fetch',
      'cloud',
      'token',
      `return (async () => { ${typeScriptSample(CREATE)} })()`,
    );
    await run(fetch, 'http://cloud', 't');
    expect(calls).toEqual([
      [
        'http://cloud/visit/whitelist',
        {
          method: 'POST',
          headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json' },
          body: JSON.stringify(CREATE.body?.example),
        },
      ],
    ]);
  });

  it('says no more than it must', () => {
    expect(typeScriptSample({ ...CREATE, method: 'GET', proof: null, body: null })).toContain(
      '/visit/whitelist`);',
    );
  });
});
