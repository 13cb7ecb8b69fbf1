import { expect, it } from 'vitest';
import { NO_SOURCES, payPagePolicy } from './pay-page-files.ts';

it('allows our own files and what the provider names, and no inline scripts', () => {
  const policy = payPagePolicy({
    script: ['https://js.provider.example'],
    connect: [],
    frame: ['https:'],
    form: ['https:'],
  });
  expect(policy).toContain("script-src 'self' https://js.provider.example;");
  expect(policy).toContain("frame-src 'self' https:;");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).toContain("font-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(payPagePolicy(NO_SOURCES)).toContain("script-src 'self';");
});
