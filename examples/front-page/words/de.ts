import type { Words } from '../../../plugins/languages/translate.ts'

export const words: Words = {
  'Projects that end on the day you said.': 'Projekte, die am versprochenen Tag fertig sind.',
  '{appName} keeps clients, rates and due days of a team in one place, and reminds of what is due.':
    '{appName} hält Kunden, Stundensätze und Termine eines Teams an einem Ort und erinnert an das, was fällig ist.',
  Why: 'Warum',
  'The projects of a workspace': 'Die Projekte eines Arbeitsbereichs',
  'One list for everyone': 'Eine Liste für alle',
  'Who is in the workspace sees what it works on.': 'Wer zum Arbeitsbereich gehört, sieht, woran er arbeitet.',
  'No day is missed': 'Kein Termin geht unter',
  'A mail comes the day before a project is due.': 'Am Tag vor der Fälligkeit kommt eine E-Mail.',
  'For programs, too': 'Auch für Programme',
  'What people can do, a program can do with a token.': 'Was Menschen können, kann ein Programm mit einem Token.',
  'Since then, nobody has asked me when we are done.': 'Seitdem fragt mich niemand mehr, wann wir fertig sind.',
  'What does it cost?': 'Was kostet es?',
  'Nothing for teams of up to five.': 'Für Teams mit bis zu fünf Personen nichts.',
  'Where is my data?': 'Wo liegen meine Daten?',
  'On your own servers, if you like.': 'Auf Ihren eigenen Servern, wenn Sie möchten.',
}
