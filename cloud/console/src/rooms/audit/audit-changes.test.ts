import { describe, expect, it } from 'vitest';
import { fieldChanges } from './audit-changes.ts';

describe('fieldChanges', () => {
  it('names what differs, at any depth', () => {
    const before = { name: 'Cellar', settings: { capacity: 80, lanes: ['in-1', 'in-2'] }, siteId: 's' };
    const after = { name: 'Basement', settings: { capacity: null, lanes: ['in-1'] }, siteId: 's' };
    expect(fieldChanges(before, after)).toEqual([
      { field: 'name', before: 'Cellar', after: 'Basement' },
      { field: 'settings.capacity', before: '80', after: '' },
      { field: 'settings.lanes', before: 'in-1, in-2', after: 'in-1' },
    ]);
  });

  it('shows the whole of what was made or deleted', () => {
    expect(fieldChanges(null, { name: 'Cellar', note: null })).toEqual([
      { field: 'name', before: '', after: 'Cellar' },
    ]);
    expect(fieldChanges({ rows: [{ plate: 'AB123' }] }, null)).toEqual([
      { field: 'rows.0.plate', before: 'AB123', after: '' },
    ]);
  });
});
