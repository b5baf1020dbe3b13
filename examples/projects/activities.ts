import { defineKinds, type OfAccount, type OfUser } from '../../features/activity/activities.ts'

/** The history outlives what it is about, so it keeps names. */
export interface ProjectActivities {
  project_created: OfAccount<{ project_name: string }>
  project_changed: OfAccount<{ project_name: string }>
  project_deleted: OfAccount<{ project_name: string }>
  /** Recorded by the clock. */
  project_due: OfAccount<{ project_name: string; due_on: string }>
  /** About a person, who gets a mail with it. */
  project_reminders_changed: OfUser<{ on: boolean }>
}

declare module '../../features/activity/activities.ts' {
  interface Activities extends ProjectActivities {}
}

// So that webhooks can send them.
defineKinds({
  project_created: 'account',
  project_changed: 'account',
  project_deleted: 'account',
  project_due: 'account',
})
