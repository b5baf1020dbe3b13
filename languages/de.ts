import type { Language } from '../plugins/languages/index.ts'

export default {
  name: 'Deutsch',
  dir: 'ltr',
  words: {
    '{device}, {day}': '{device}, {day}',
    '{actor} {what}': '{actor} „{what}“ ausgelöst',
    Notifications: 'Benachrichtigungen',
    // Workspaces: messages
    "can't be blank": 'darf nicht leer sein',
    'is too long (maximum is {max} characters)': 'ist zu lang (höchstens {max} Zeichen)',
    'is invalid': 'ist ungültig',
    'you have {max} workspaces already': 'Sie haben bereits {max} Arbeitsbereiche',
    'has already been invited': 'wurde bereits eingeladen',
    'too many invitations are open': 'es sind zu viele Einladungen offen',
    'is not included in the list': 'ist nicht in der Liste enthalten',
    "can't be invited again today": 'kann heute nicht noch einmal eingeladen werden',
    'must be at a domain of {name}': 'muss zu einer Domain von {name} gehören',
    'You are in {max} workspaces already': 'Sie gehören bereits {max} Arbeitsbereichen an',
    'This invitation has expired': 'Diese Einladung ist abgelaufen',
    'This invitation is for {email}': 'Diese Einladung gilt für {email}',
    'Open the link that we sent to {email}': 'Öffnen Sie den Link, den wir an {email} gesendet haben',
    'is already a member': 'ist bereits Mitglied',
    'Role is not included in the list': 'Diese Rolle ist nicht in der Liste enthalten',
    'A workspace needs at least one owner': 'Ein Arbeitsbereich braucht mindestens einen Inhaber',
    '{accountName} requires two-factor authentication': '{accountName} schreibt die Zwei-Faktor-Authentisierung vor',
    'needs a second factor of your own': 'setzt voraus, dass Sie selbst einen zweiten Faktor haben',
    'Invited by {name}, {day}': 'Eingeladen von {name}, {day}',
    'Invited {day}': 'Eingeladen am {day}',
    Order: 'Reihenfolge',
    'By joining': 'Nach Beitritt',
    'By name': 'Nach Name',
    'By last activity': 'Nach letzter Aktivität',
    'You only want to leave? {link} instead.': 'Sie möchten nur austreten? {link}.',
    'Hand it over to somebody': 'Übergeben Sie ihn stattdessen jemandem',
    'You and {count} other people lose access right away, and invitations to it stop working.': {
      one: 'Sie und {count} weitere Person verlieren sofort den Zugriff, und offene Einladungen werden ungültig.',
      other: 'Sie und {count} weitere Personen verlieren sofort den Zugriff, und offene Einladungen werden ungültig.',
    },
    now: 'jetzt',
    '{hours} h': '{hours} Std.',
    '{days} d': '{days} Tg.',
    'Their email is not verified': 'Diese E-Mail-Adresse ist nicht bestätigt',
    'Reset link sent': 'Link zum Zurücksetzen gesendet',
    'Their email is verified already': 'Diese E-Mail-Adresse ist bereits bestätigt',
    'Verification sent': 'Bestätigungsmail gesendet',
    'Pause lifted': 'Pause aufgehoben',
    'is not theirs': 'gehört jemand anderem',
    'This user has another address.': 'Dieser Nutzer hat eine andere Adresse.',
    'Too many wrong tries: new browsers are refused until {time}':
      'Zu viele Fehlversuche: Neue Browser werden bis {time} abgewiesen',
    'All recovery codes are used up': 'Alle Wiederherstellungscodes sind verbraucht',
    '{name} requires a second factor, and they have none':
      '{name} schreibt einen zweiten Faktor vor, und hier ist keiner eingerichtet',
    '{name} opens only with single sign-on': '{name} ist nur mit Single Sign-on zugänglich',
    'sent a reset link': 'einen Link zum Zurücksetzen gesendet',
    'sent a verification': 'eine Bestätigungsmail gesendet',
    'lifted a pause': 'eine Pause nach Fehlversuchen aufgehoben',
    'Show all {count} sessions': 'Alle {count} Sitzungen anzeigen',
    'Send {name} a reset link?': '{name} einen Link zum Zurücksetzen senden?',
    'Send reset link': 'Link zum Zurücksetzen senden',
    'It goes to {email} and works for 20 minutes. You never see it.':
      'Er geht an {email} und gilt 20 Minuten. Sie bekommen ihn nie zu sehen.',
    'Send {name} the verification again?': '{name} die Bestätigungsmail erneut senden?',
    'Send verification': 'Bestätigungsmail senden',
    'It goes to {email}.': 'Sie geht an {email}.',
    'Lift the pause of {name}?': 'Die Pause nach Fehlversuchen für {name} aufheben?',
    'Lift pause': 'Pause aufheben',
    'They can try again at once, and so can whoever guessed.':
      'Danach sind sofort neue Versuche möglich, auch für die Person, die geraten hat.',
    'End all sessions of {name}?': 'Alle Sitzungen von {name} beenden?',
    'Remove the second factor of {name}?': 'Den zweiten Faktor von {name} entfernen?',
    'Lift the suspension of {name}?': 'Die Sperre von {name} aufheben?',
    'Suspend {name}?': '{name} sperren?',
    'Delete {name}?': '{name} löschen?',
    'Their email': 'E-Mail-Adresse dieser Person',
    'Type {email} to make sure that it is them.': 'Geben Sie {email} ein, damit es die richtige Person trifft.',
    'Enter a name.': 'Geben Sie einen Namen ein.',
    'Your new password works.': 'Ihr neues Passwort gilt.',
    'Settings saved': 'Einstellungen gespeichert',
    'Workspace deleted': 'Arbeitsbereich gelöscht',
    'Two-factor authentication is now required': 'Die Zwei-Faktor-Authentisierung ist jetzt vorgeschrieben',
    'Two-factor authentication is no longer required': 'Die Zwei-Faktor-Authentisierung ist nicht mehr vorgeschrieben',
    'Invitation sent to {email}': 'Einladung an {email} gesendet',
    'Invitations sent again: {sent} of {count}. Try the others later':
      'Erneut gesendete Einladungen: {sent} von {count}. Versuchen Sie es mit den übrigen später',
    'Invitations sent again: {sent}': 'Erneut gesendete Einladungen: {sent}',
    'Invitation revoked': 'Einladung widerrufen',
    'Role updated': 'Rolle geändert',
    'You left {name}': 'Sie haben {name} verlassen',
    'Member removed': 'Mitglied entfernt',
    'Workspace created': 'Arbeitsbereich erstellt',
    'Welcome to {name}': 'Willkommen bei {name}',
    'Invitation declined': 'Einladung abgelehnt',
    // Sign-in and sign-up: messages
    'Signed in successfully': 'Sie sind jetzt angemeldet',
    'is too short (minimum is {min} characters)': 'ist zu kurz (mindestens {min} Zeichen)',
    'is too long': 'ist zu lang',
    'is too common': 'wird zu häufig verwendet',
    "doesn't match Password": 'stimmt nicht mit dem Passwort überein',
    'That sign-in is over. Sign in again': 'Diese Anmeldung ist beendet. Melden Sie sich erneut an',
    'is an older one. Use the newest mail': 'ist veraltet. Nehmen Sie den aus der neuesten E-Mail',
    '{actor} proved the email address with a code, which removed all other ways to sign in':
      '{actor} die E-Mail-Adresse mit einem Code nachgewiesen, alle anderen Anmeldewege wurden entfernt',
    'Your other ways to sign in were removed': 'Ihre anderen Anmeldewege wurden entfernt',
    'They may have been those of somebody else. Set up your own now.':
      'Sie gehörten vielleicht jemand anderem. Richten Sie jetzt Ihre eigenen ein.',
    "You signed in to {appName} with a code by mail. It proves for the first time that this address is yours, so what was set up before was removed: it may belong to whoever signed up with somebody else's address.":
      'Sie haben sich bei {appName} mit einem Code per E-Mail angemeldet. Damit steht zum ersten Mal fest, dass diese Adresse Ihnen gehört. Was vorher eingerichtet war, wurde deshalb entfernt: Es gehört vielleicht jemandem, der sich mit einer fremden Adresse registriert hat.',
    'Removed: {ways}. All other devices have been signed out.':
      'Entfernt: {ways}. Alle anderen Geräte wurden abgemeldet.',
    'If these were yours, you can set them up again. Until then, you sign in with a code by mail.':
      'Falls es Ihre waren, können Sie sie neu einrichten. Bis dahin melden Sie sich mit einem Code per E-Mail an.',
    'Set up your sign-in': 'Anmeldung einrichten',
    'the password': 'das Passwort',
    'the authenticator app and its recovery codes': 'die Authenticator-App und ihre Wiederherstellungscodes',
    passkeys: 'Passkeys',
    'connected accounts': 'verbundene Konten',
    'single sign-on': 'Single Sign-on',
    tokens: 'Token',
    'Please sign in again': 'Bitte melden Sie sich erneut an',
    'You are already signed in': 'Sie sind bereits angemeldet',
    'That session has been logged out': 'Diese Sitzung wurde abgemeldet',
    'All other sessions have been ended': 'Alle anderen Sitzungen wurden beendet',
    'That email or password is incorrect': 'E-Mail-Adresse oder Passwort ist falsch',
    'Welcome! You have signed up successfully': 'Willkommen! Ihre Registrierung war erfolgreich',
    '{appName} is invitation only. Ask an admin to invite you':
      '{appName} ist nur mit Einladung zugänglich. Bitten Sie einen Admin um eine',
    'must be {email}, the address invited': 'muss die eingeladene Adresse {email} sein',
    'has already been taken': 'ist bereits vergeben',
    'Verify your email first': 'Bestätigen Sie zuerst Ihre E-Mail-Adresse',
    // Verification and password reset: messages
    'Thank you for verifying your email address': 'Vielen Dank! Ihre E-Mail-Adresse ist bestätigt',
    'That email verification link is invalid': 'Dieser Bestätigungslink ist ungültig',
    'We sent a verification email to your email address':
      'Wir haben Ihnen eine E-Mail zur Bestätigung Ihrer Adresse gesendet',
    'The account has been removed': 'Das Konto wurde entfernt',
    'That link is invalid': 'Dieser Link ist ungültig',
    "If that email belongs to a verified account, we've sent reset instructions to it":
      'Wenn diese E-Mail-Adresse zu einem bestätigten Konto gehört, haben wir einen Link zum Zurücksetzen des Passworts dorthin gesendet',
    'Your password was reset successfully. Please sign in':
      'Ihr Passwort wurde zurückgesetzt. Bitte melden Sie sich an',
    'That password reset link is invalid': 'Dieser Link zum Zurücksetzen des Passworts ist ungültig',
    // Passkeys: messages
    'You have 20 passkeys already': 'Sie haben bereits 20 Passkeys',
    'Passkey added': 'Passkey hinzugefügt',
    'Passkey renamed': 'Passkey umbenannt',
    'Passkey removed': 'Passkey entfernt',
    "That passkey didn't work. Try again": 'Dieser Passkey hat nicht funktioniert. Versuchen Sie es erneut',
    // Pictures: messages
    'is too large (maximum is 8 MB)': 'ist zu groß (höchstens 8 MB)',
    'is not a picture we can read': 'ist kein Bild, das wir lesen können',
    'has too many pixels': 'hat zu viele Pixel',
    'Picture updated': 'Bild geändert',
    'Picture removed': 'Bild entfernt',
    'Your picture has been updated': 'Ihr Bild wurde geändert',
    'Your picture has been removed': 'Ihr Bild wurde entfernt',
    // Connected accounts: messages
    'The demo user connects nothing': 'Im Demo-Konto lassen sich keine Konten verbinden',
    "You can't connect accounts to the demo user.": 'Im Demo-Konto lassen sich keine Konten verbinden.',
    "{name} can't be reached. Try again later": '{name} ist nicht erreichbar. Versuchen Sie es später erneut',
    "{name} didn't work. Try again": 'Mit {name} hat es nicht funktioniert. Versuchen Sie es erneut',
    '{name} is disconnected': '{name} ist getrennt',
    'You cancelled {name}': 'Sie haben den Vorgang bei {name} abgebrochen',
    'That {name} account is connected to somebody else':
      'Dieses Konto bei {name} ist bereits mit einer anderen Person verbunden',
    'You have 10 connected accounts already': 'Sie haben bereits 10 verbundene Konten',
    '{name} is connected': '{name} ist verbunden',
    // Second factor: messages
    'Two-factor authentication is on': 'Die Zwei-Faktor-Authentisierung ist aktiviert',
    'Two-factor authentication is off': 'Die Zwei-Faktor-Authentisierung ist deaktiviert',
    'Two-factor authentication is already on': 'Die Zwei-Faktor-Authentisierung ist bereits aktiviert',
    'That took too long. Please start again': 'Das hat zu lange gedauert. Bitte beginnen Sie neu',
    "Your authenticator app can't be checked now. Use a recovery code instead":
      'Codes Ihrer Authenticator-App können gerade nicht geprüft werden. Verwenden Sie stattdessen einen Wiederherstellungscode',
    // Settings: messages
    'Your email has been changed': 'Ihre E-Mail-Adresse wurde geändert',
    'We sent you a link to set a password': 'Wir haben Ihnen einen Link gesendet, mit dem Sie ein Passwort festlegen',
    'Your password has been changed': 'Ihr Passwort wurde geändert',
    'Your profile has been updated': 'Ihr Profil wurde aktualisiert',
    'Your account has been deleted': 'Ihr Konto wurde gelöscht',
    'Password challenge is invalid': 'Das aktuelle Passwort ist ungültig',
    // Workspaces
    Members: 'Mitglieder',
    Workspace: 'Arbeitsbereich',
    Activity: 'Aktivität',
    'What happened in {name}. Its owners and admins see this page.':
      'Was in {name} geschehen ist. Inhaber und Admins sehen diese Seite.',
    'No activity yet. Changes will appear here.':
      'Noch gibt es keine Einträge. Was sich ab jetzt ändert, erscheint hier.',
    'someone who left': 'ehemaliges Mitglied',
    'Verify your email': 'E-Mail-Adresse bestätigen',
    'At a glance': 'Auf einen Blick',
    'No open invitations': 'Keine offenen Einladungen',
    '{count} open invitations': { one: '{count} offene Einladung', other: '{count} offene Einladungen' },
    'Everyone has answered.': 'Alle haben geantwortet.',
    '{open} open · {expired} expired': '{open} offen · {expired} abgelaufen',
    'None has expired.': 'Keine ist abgelaufen.',
    '{count} without a second factor': { one: '{count} ohne zweiten Faktor', other: '{count} ohne zweiten Faktor' },
    'Everyone has a second factor': 'Alle haben einen zweiten Faktor',
    'It is required here.': 'Er ist hier Pflicht.',
    'It is not required here.': 'Er ist hier keine Pflicht.',
    '{count} owners': { one: '{count} Inhaber', other: '{count} Inhaber' },
    '{count} others': { one: '{count} weitere Person', other: '{count} weitere' },
    People: 'Personen',
    'Owned by': 'Inhaber',
    'You joined': 'Dabei seit',
    'So that you can get back in, and join others.':
      'Damit Sie Ihr Passwort zurücksetzen und Einladungen annehmen können.',
    'Add a picture': 'Bild hinzufügen',
    'So that others recognize you.': 'Damit andere Sie leichter erkennen.',
    'Set up a passkey': 'Passkey einrichten',
    'So that your fingerprint, face or PIN signs you in.':
      'Damit Sie sich mit Fingerabdruck, Gesicht oder PIN anmelden können.',
    'Create or join a workspace': 'Arbeitsbereich erstellen oder beitreten',
    'To join one, ask somebody there to invite you.':
      'Um einem beizutreten, bitten Sie dort ein Mitglied um eine Einladung.',
    'Invite someone': 'Jemanden einladen',
    'Workspaces are made for sharing.': 'Ein Arbeitsbereich ist zum Teilen da.',
    'First steps': 'Erste Schritte',
    Done: 'Erledigt',
    '{done} of {count}': '{done} von {count}',
    'Dismiss the first steps': 'Erste Schritte ausblenden',
    'What is your team called?': 'Wie heißt Ihr Team?',
    'You get a workspace of that name, and can invite the others right away.':
      'Sie bekommen einen Arbeitsbereich mit diesem Namen und können die anderen gleich einladen.',
    'Name of the team': 'Name des Teams',
    'Nothing here yet': 'Hier ist noch nichts',
    'What you work on will have its place here.': 'Woran Sie arbeiten, bekommt hier seinen Platz.',
    'Here now': 'Gerade hier',
    'Who is here': 'Wer gerade hier ist',
    'Nobody else at the moment.': 'Im Moment niemand sonst.',
    'and {count} more': 'und {count} weitere',
    Invitations: 'Einladungen',
    'Members and invitations': 'Mitglieder und Einladungen',
    'Last active': 'Zuletzt aktiv',
    never: 'nie',
    '{count} members match': { one: '{count} Mitglied gefunden', other: '{count} Mitglieder gefunden' },
    '{count} invitations match': { one: '{count} Einladung gefunden', other: '{count} Einladungen gefunden' },
    'No invitations match. Try a shorter search.': 'Keine Treffer. Geben Sie weniger ein.',
    'Send expired ones again': 'Abgelaufene erneut senden',
    'Send {count} invitations again?': {
      one: '{count} Einladung erneut senden?',
      other: '{count} Einladungen erneut senden?',
    },
    'Each person gets a new email, whose link works for a week.':
      'Jede Person bekommt eine neue E-Mail, deren Link eine Woche lang gilt.',
    'Or share a link': 'Oder einen Link teilen',
    "Invitation links can't be copied: opening the emailed link is what proves the address.":
      'Diese Links lassen sich nicht kopieren: Erst der Link aus der E-Mail weist nach, dass die Adresse der eingeladenen Person gehört.',
    'No pending invitations. People you invite appear here until they join.':
      'Derzeit ist keine Einladung offen. Eingeladene Personen stehen hier, bis sie beigetreten sind.',
    Expired: 'Abgelaufen',
    'Revoke the invitation for {email}?': 'Einladung an {email} widerrufen?',
    'The link in the email to {email} will stop working. You can invite the same address again.':
      'Der Link in der E-Mail an {email} wird ungültig. Sie können dieselbe Adresse erneut einladen.',
    Invite: 'Einladen',
    'Invite people': 'Personen einladen',
    'Each person gets an email with their own link, which works for a week.':
      'Alle erhalten eine E-Mail mit einem eigenen Link, der eine Woche gilt.',
    'Email is missing.': 'E-Mail-Adresse fehlt.',
    "This is your own address, and you're already a member.":
      'Das ist Ihre eigene Adresse, und Sie sind bereits Mitglied.',
    Emails: 'E-Mail-Adressen',
    'One or more, separated by commas, spaces or line breaks.':
      'Eine oder mehrere, getrennt durch Kommas, Leerzeichen oder Zeilenumbrüche.',
    'Sending…': 'Wird gesendet\u00a0…',
    'Invitation sent to {email}.': 'Einladung an {email} gesendet.',
    '{count} invitations are on their way.': {
      one: '{count} Einladung ist unterwegs.',
      other: '{count} Einladungen sind unterwegs.',
    },
    'Latest activity': 'Neueste Aktivitäten',
    'All activity': 'Alle Aktivitäten',
    'Role updated: {name} is {role} now.': 'Rolle geändert: {name} ist jetzt {role}.',
    Undo: 'Rückgängig machen',
    Email: 'E-Mail-Adresse',
    'This could not be sent.': 'Die Einladung konnte nicht gesendet werden.',
    "It's just you so far. Nobody else can see this workspace.":
      'Bisher sind Sie hier allein. Niemand sonst sieht, was in diesem Arbeitsbereich ist.',
    'Load more': 'Mehr laden',
    '{count} found': '{count} gefunden',
    You: 'Sie haben', // an entry about oneself
    "You can't leave because you're the only owner. Make someone else an owner first.":
      'Sie können den Arbeitsbereich nicht verlassen: Sie sind der einzige Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.',
    'Remove {name}?': '{name} entfernen?',
    '{name} ({email}) loses access to {account} right away and needs a new invitation to come back.':
      '{name} ({email}) verliert sofort den Zugriff auf {account} und kann nur mit einer neuen Einladung zurückkehren.',
    'Leave {name}?': '{name} verlassen?',
    'You lose access to {name} right away and need a new invitation to come back. Everyone else stays.':
      'Sie verlieren sofort den Zugriff auf {name} und können nur mit einer neuen Einladung zurückkehren. Alle anderen bleiben.',
    'Leave workspace': 'Arbeitsbereich verlassen',
    'Search by name or email': 'Nach Name oder E-Mail-Adresse suchen',
    'Name or email': 'Name oder E-Mail-Adresse',
    Role: 'Rolle',
    'All roles': 'Alle Rollen',
    Owners: 'Inhaber',
    Admins: 'Admins',
    'The people in {name}.': 'Wer zu {name} gehört.',
    'New workspace': 'Neuer Arbeitsbereich',
    'Workspaces, pages, people…': 'Arbeitsbereiche, Seiten, Personen\u00a0…',
    'Nothing matches.': 'Keine Treffer.',
    '{count} results': { one: '{count} Treffer', other: '{count} Treffer' },
    Saved: 'Gespeichert',
    'For a team, a client or a project. You will be its owner.':
      'Für ein Team, einen Kunden oder ein Projekt. Er gehört dann Ihnen.',
    Name: 'Name',
    'Up to {max} characters; you can change it later.': 'Bis zu {max} Zeichen, später änderbar.',
    'Create workspace': 'Arbeitsbereich erstellen',
    'Your invitations': 'Ihre Einladungen',
    '{inviter} invited you to {account}': '{inviter} lädt Sie ein: {account}',
    Somebody: 'Jemand',
    Someone: 'Jemand',
    'Two-factor authentication': 'Zwei-Faktor-Authentisierung',
    Required: 'Pflicht',
    'Everyone in this workspace signs in with more than a password: a code from an app, or a passkey.':
      'Alle in diesem Arbeitsbereich melden sich mit mehr als einem Passwort an: mit einem Code aus einer App oder einem Passkey.',
    'Require more than a password from everyone in this workspace: a code from an app, or a passkey. Members who have neither are asked to set one up before they can get back in.':
      'Verlangen Sie von allen in diesem Arbeitsbereich mehr als ein Passwort: einen Code aus einer App oder einen Passkey. Wer keines von beiden hat, muss eines davon einrichten, um wieder hineinzukommen.',
    'You need a second factor of your own first. {link}': 'Sie brauchen zuerst selbst einen zweiten Faktor. {link}',
    'Set one up': 'Jetzt einrichten',
    'Stop requiring it': 'Nicht mehr vorschreiben',
    'Stop requiring two-factor authentication in {name}?':
      'Zwei-Faktor-Authentisierung in {name} nicht mehr vorschreiben?',
    'From then on, a password alone is enough for everyone again. Second factors that members have set up stay on.':
      'Danach genügt allen Mitgliedern wieder das Passwort allein. Wer einen zweiten Faktor eingerichtet hat, behält ihn.',
    'Require two-factor authentication': 'Vorschreiben',
    Member: 'Mitglied',
    'Can see the workspace and its members.': 'Sieht den Arbeitsbereich und seine Mitglieder.',
    Admin: 'Admin',
    'Can also rename it, invite people and remove them.':
      'Kann den Arbeitsbereich außerdem umbenennen sowie Personen einladen und entfernen.',
    'Make {name} an owner?': '{name} zum Inhaber machen?',
    'Make owner': 'Zum Inhaber machen',
    '{name} gets full control of {account}, including deleting it and changing your role.':
      '{name} erhält die volle Kontrolle über {account}, auch über die Löschung und über Ihre Rolle.',
    'Step down as owner of {name}?': 'Inhaberrolle in {name} abgeben?',
    'Step down': 'Inhaberrolle abgeben',
    'Take the ownership from {name}?': '{name} die Inhaberrolle entziehen?',
    'Change role': 'Rolle ändern',
    '{name} loses full control of {account}. To make them an owner again, you confirm that it is you.':
      '{name} verliert die volle Kontrolle über {account}. Um das rückgängig zu machen, bestätigen Sie, dass Sie es sind.',
    'You give up full control of {name}. Only another owner can make you an owner again.':
      'Sie geben die volle Kontrolle über {name} ab. Nur ein anderer Inhaber kann Sie wieder zum Inhaber machen.',
    Settings: 'Einstellungen',
    'How {name} appears to its members.': 'So sehen die Mitglieder {name}.',
    'Picture of {name}': 'Bild von {name}',
    'Shown next to the name everywhere.': 'Steht überall neben dem Namen.',
    'The address of this workspace. It never changes, so every link to it keeps working.':
      'Die Adresse dieses Arbeitsbereichs. Sie ändert sich nie, damit alle Links weiterhin funktionieren.',
    'Up to {max} characters.': 'Bis zu {max} Zeichen.',
    Save: 'Speichern',
    'The name of this workspace. Its owners and admins can change it.':
      'Der Name dieses Arbeitsbereichs. Inhaber und Admins können ihn ändern.',
    'Delete this workspace': 'Diesen Arbeitsbereich löschen',
    'Everyone loses access. This cannot be undone. To delete your own account, {link}.':
      'Er wird für alle Mitglieder gelöscht. Das lässt sich nicht rückgängig machen. Um Ihr eigenes Konto zu schließen, {link}.',
    'go to your profile': 'gehen Sie zu Ihrem Profil',
    'Delete the workspace {name}?': 'Arbeitsbereich {name} löschen?',
    'Delete workspace': 'Arbeitsbereich löschen',
    'The workspace {name} and everything in it will be permanently deleted.':
      'Der Arbeitsbereich {name} und alles darin wird endgültig gelöscht.',
    'All members lose access right away, and invitations to it stop working.':
      'Alle Mitglieder verlieren sofort den Zugriff, und offene Einladungen werden ungültig.',
    'Members keep their accounts and their other workspaces.':
      'Die Konten der Mitglieder und ihre anderen Arbeitsbereiche bleiben bestehen.',
    'Counting the members': 'Mitglieder werden gezählt',
    'Your role': 'Ihre Rolle',
    'Loading the overview': 'Übersicht wird geladen',
    // Activity
    Today: 'Heute',
    Yesterday: 'Gestern',
    'Download CSV': 'CSV herunterladen',
    'No activity matches your filters.': 'Zu diesen Filtern gibt es keine Einträge.',
    'No activity of this kind yet.': 'Einträge dieser Art gibt es noch nicht.',
    'Kinds of activity': 'Arten von Aktivitäten',
    All: 'Alle',
    Person: 'Person',
    Anyone: 'Alle',
    From: 'Von',
    To: 'Bis',
    Search: 'Suchen',
    'Show all': 'Alle anzeigen',
    // Sign-in and sign-up
    'Check your email': 'Prüfen Sie Ihren Posteingang',
    "You asked for a new password for {email}. If that email belongs to a verified account, we've sent reset instructions to it. The link works once and expires after 20 minutes.":
      'Sie haben für {email} ein neues Passwort angefordert. Wenn diese E-Mail-Adresse zu einem bestätigten Konto gehört, haben wir einen Link zum Zurücksetzen des Passworts dorthin gesendet. Der Link ist einmalig und 20 Minuten gültig.',
    'Send it again': 'Erneut senden',
    "With another address, you won't join {account}. The invitation is for {email}.":
      'Mit einer anderen Adresse treten Sie {account} nicht bei. Die Einladung gilt für {email}.',
    "This address was invited, so you don't have to verify it. {button}":
      'Diese Adresse wurde eingeladen, Sie müssen sie nicht bestätigen. {button}',
    'Use another address': 'Andere Adresse verwenden',
    'Join {account_name}': '{account_name} beitreten',
    "That passkey didn't work. Try again, or use your password.":
      'Dieser Passkey hat nicht funktioniert. Versuchen Sie es erneut oder verwenden Sie Ihr Passwort.',
    'Sign in with {name}': 'Mit {name} anmelden',
    'Sign up with {name}': 'Mit {name} registrieren',
    or: 'oder',
    'Almost there': 'Fast geschafft',
    "You'll get your own account right away.": 'Sie erhalten sofort ein eigenes Konto.',
    "{name} has verified this address, so you don't have to.":
      '{name} hat diese Adresse bestätigt, Sie müssen es nicht noch einmal tun.',
    "{name} hasn't verified this address, so we'll email you a link.":
      '{name} hat diese Adresse nicht bestätigt, daher senden wir Ihnen einen Link.',
    'Sign in?': 'Anmelden?',
    'Sign up': 'Registrieren',
    'Already have an account? {link} and connect {name} in your settings.':
      'Sie haben schon ein Konto? {link} und in den Einstellungen {name} verbinden.',
    'You already have an account': 'Sie haben bereits ein Konto',
    'Someone already signed up with {email}, but not with {name}.':
      'Mit der E-Mail-Adresse {email} hat sich schon jemand registriert, aber nicht mit {name}.',
    'If that was you, sign in the way you did then. Then connect {name} on the security page of your settings, and you can sign in with it from then on.':
      'Wenn Sie das waren, melden Sie sich so an wie damals. Gleich danach können Sie {name} in Ihren Einstellungen unter „Sicherheit“ verbinden und sich künftig damit anmelden.',
    "Confirm it's you": 'Bestätigen Sie, dass Sie es sind',
    'This page requires a second factor, and you signed in with only a password.':
      'Diese Seite verlangt einen zweiten Faktor, und Sie haben sich nur mit Ihrem Passwort angemeldet.',
    'A new code appears every 30 seconds, and each works once.':
      'Alle 30 Sekunden erscheint ein neuer Code, jeder gilt nur einmal.',
    Continue: 'Weiter',
    'Use a passkey': 'Passkey verwenden',
    'Instead of a code, use your fingerprint, face or device PIN.':
      'Statt eines Codes: Fingerabdruck, Gesicht oder die PIN Ihres Geräts.',
    'Use your fingerprint, face or device PIN.': 'Mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts.',
    'Use my authenticator app': 'Authenticator-App verwenden',
    'Use a recovery code': 'Wiederherstellungscode verwenden',
    'Not now? {link}': 'Lieber später? {link}',
    'Go to your settings': 'Zu den Einstellungen',
    'Not you? {link}': 'Das sind nicht Sie? {link}',
    'Start again': 'Neu beginnen',
    'Open your authenticator app and enter the six digits it shows.':
      'Öffnen Sie Ihre Authenticator-App und geben Sie die sechs Ziffern ein, die sie anzeigt.',
    'Enter one of the recovery codes you saved when you turned on two-factor authentication.':
      'Geben Sie einen der Wiederherstellungscodes ein, die Sie beim Aktivieren der Zwei-Faktor-Authentisierung erhalten haben.',
    'Recovery code': 'Wiederherstellungscode',
    "16 letters and digits, or 24 in older ones. Spaces, dashes and capitalization don't matter.":
      '16 Buchstaben und Ziffern, bei älteren Codes 24. Leerzeichen, Bindestriche und Großschreibung spielen keine Rolle.',
    'You are signing in as {email}.': 'Sie melden sich als {email} an.',
    Password: 'Passwort',
    'Sign in with a passkey': 'Mit Passkey anmelden',
    'More ways': 'Weitere Möglichkeiten',
    'Forgot your password?': 'Passwort vergessen?',
    'No account yet? {link}': 'Noch kein Konto? {link}',
    "You've been signed out: in another tab, from another device, or because the password was changed. Sign in to pick up where you left off. What you typed there is still there.":
      'Sie wurden abgemeldet: in einem anderen Tab, von einem anderen Gerät aus oder weil das Passwort geändert wurde. Melden Sie sich an, um dort weiterzumachen, wo Sie waren. Ihre Eingaben bleiben erhalten.',
    'Please sign in to continue.': 'Bitte melden Sie sich an, um fortzufahren.',
    'Good to see you again.': 'Schön, dass Sie wieder da sind.',
    "You'll get your own workspace right away.": 'Sie erhalten sofort einen eigenen Arbeitsbereich.',
    'Already have an account? {link}': 'Sie haben schon ein Konto? {link}',
    // Forms and head
    'This page could not be loaded completely.': 'Diese Seite konnte nicht vollständig geladen werden.',
    Code: 'Code',
    'Continue without a passkey': 'Ohne Passkey fortfahren',
    'Use your password instead': 'Stattdessen Passwort verwenden',
    'Your device will ask for your passkey.': 'Ihr Gerät fragt nach Ihrem Passkey.',
    'Current password': 'Aktuelles Passwort',
    'Use a passkey instead': 'Stattdessen Passkey verwenden',
    'Long enough': 'Lang genug',
    'At least {minimum} characters': 'Mindestens {minimum} Zeichen',
    'At least {minimum} characters, {missing} to go': 'Mindestens {minimum} Zeichen, noch {missing}',
    "We couldn't ask for your passkey. Try again, or use your password.":
      'Ihr Passkey konnte nicht abgefragt werden. Versuchen Sie es erneut oder verwenden Sie Ihr Passwort.',
    Passkey: 'Passkey',
    Hide: 'Verbergen',
    Show: 'Anzeigen',
    "You don't have a password, but you just signed in, which is enough.":
      'Sie haben kein Passwort. Es genügt, dass Sie sich gerade erst angemeldet haben.',
    "You don't have a password. You can do this within five minutes of signing in, but you signed in longer ago.":
      'Sie haben kein Passwort. Das geht deshalb nur in den ersten fünf Minuten nach der Anmeldung, und Ihre liegt länger zurück.',
    'Sign out and back in': 'Abmelden und neu anmelden',
    '{appName}: one sign-in for your personal workspace and the ones you share with a team, a client or a project.':
      '{appName}: eine Anmeldung für Ihren persönlichen Arbeitsbereich und für alle, die Sie mit einem Team, einem Kunden oder einem Projekt teilen.',
    '{appName} needs JavaScript: its forms include a security check that only a script can add. Please allow it for this site and reload the page.':
      '{appName} benötigt JavaScript: Die Formulare enthalten eine Sicherheitsprüfung, die nur ein Skript hinzufügen kann. Bitte erlauben Sie JavaScript für diese Website und laden Sie die Seite neu.',
    // Home
    'One key': 'Ein Schlüssel',
    'Sign up once. One password opens every workspace you have or share.':
      'Sie registrieren sich einmal. Ein einziges Passwort öffnet alle Arbeitsbereiche, die Sie haben oder teilen.',
    'Room for every team': 'Raum für jedes Team',
    'Start with a workspace of your own. Create another for a team or a client, and switch between them anywhere.':
      'Sie beginnen mit einem eigenen Arbeitsbereich. Erstellen Sie weitere für Teams oder Kunden und wechseln Sie überall zwischen ihnen.',
    'Every device in sight': 'Alle Geräte im Blick',
    "See where you're signed in and when you were last active there. End a session you don't recognize with one click.":
      'Sie sehen, wo Sie angemeldet sind und wann Sie dort zuletzt waren. Eine Sitzung, die Sie nicht kennen, beenden Sie mit einem Klick.',
    'One door to all your workspaces.': 'Eine Tür zu allen Ihren Arbeits\u00adbereichen.',
    '{appName} keeps your own things and what you share with others in separate rooms, and one sign-in lets you move between them.':
      '{appName} hält Eigenes und Gemeinsames in getrennten Räumen, und mit einer einzigen Anmeldung wechseln Sie zwischen ihnen.',
    Pages: 'Seiten',
    Questions: 'Fragen',
    'Create your account': 'Konto erstellen',
    'I already have an account': 'Ich habe schon ein Konto',
    'New here? You need an invitation from a member to join {appName}.':
      'Neu hier? Zu {appName} kommen Sie mit der Einladung eines Mitglieds.',
    // Password reset
    'Not you?': 'Das waren nicht Sie?',
    "Someone signed up with {email}. If it wasn't you, remove their account: everything in it is deleted, and you can sign up with the address yourself.":
      'Jemand hat sich mit {email} registriert. Wenn Sie das nicht waren, entfernen Sie das Konto: Alles darin wird gelöscht, und Sie können sich selbst mit dieser Adresse registrieren.',
    'Remove the account': 'Konto entfernen',
    'If it was you, close this page: nothing has changed.':
      'Das waren Sie? Dann schließen Sie diese Seite: Es hat sich nichts geändert.',
    'Reset your password': 'Passwort zurücksetzen',
    'Choose a new one for {email}. You will be signed out on all your devices.':
      'Wählen Sie ein neues Passwort für {email}. Sie werden auf allen Geräten abgemeldet.',
    'Reset password': 'Passwort zurücksetzen',
    "Enter your email, and we'll send you a link to choose a new one.":
      'Geben Sie Ihre E-Mail-Adresse an, und wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
    'Send reset instructions': 'Link zum Zurücksetzen senden',
    'Remembered it? {link}': 'Wieder eingefallen? {link}',
    // Invitation
    'Valid until': 'Gültig bis',
    'This invitation has expired, or was already accepted. If you need a new one, ask the person who sent it.':
      'Diese Einladung ist abgelaufen oder wurde bereits angenommen. Wenn Sie eine neue brauchen, wenden Sie sich an die Person, die Sie eingeladen hat.',
    'If a newer email invites you, use the link in that one. Otherwise, ask the person who sent it for a new one.':
      'Falls eine neuere E-Mail Sie einlädt, nutzen Sie den Link darin. Sonst bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung.',
    'This invitation was replaced or withdrawn': 'Diese Einladung wurde ersetzt oder widerrufen',
    "It's for {invited}. Sign up with this address, or sign in if you already have an account.":
      'Die Einladung gilt für {invited}. Registrieren Sie sich mit dieser Adresse oder melden Sie sich an, wenn Sie schon ein Konto haben.',
    'You are signed in as {invited}.': 'Sie sind als {invited} angemeldet.',
    "It's for {invited}, but you're signed in as {signed_in_as}. To accept it, sign out and come back with the other address.":
      'Die Einladung gilt für {invited}, Sie sind aber als {signed_in_as} angemeldet. Um sie anzunehmen, melden Sie sich ab und mit der anderen Adresse wieder an.',
    'Accept invitation': 'Einladung annehmen',
    Decline: 'Ablehnen',
    'Decline the invitation to {account}?': 'Einladung zu {account} ablehnen?',
    "The invitation will be deleted. To join later, you'll need a new one.":
      'Die Einladung wird gelöscht. Um später beizutreten, brauchen Sie eine neue.',
    'Decline invitation': 'Einladung ablehnen',
    'Sign out': 'Abmelden',
    'Sign in if you already accepted it': 'Anmelden, falls schon angenommen',
    'Go to the home page': 'Zur Startseite',
    'Go to your workspaces': 'Zu Ihren Arbeitsbereichen',
    // Layouts
    'Your workspaces': 'Ihre Arbeitsbereiche',
    'Search your workspaces': 'Arbeitsbereiche durchsuchen',
    Personal: 'Persönlich',
    'No workspaces match.': 'Keine Treffer.',
    'Invitation to {account}': 'Einladung zu {account}',
    'Workspace:': 'Arbeitsbereich:',
    Workspaces: 'Arbeitsbereiche',
    'You have open invitations': 'Sie haben offene Einladungen',
    Dashboard: 'Übersicht',
    'Reconnecting…': 'Verbindung wird wiederhergestellt\u00a0…',
    'You no longer have access to {name}.': 'Sie haben keinen Zugriff mehr auf {name}.',
    Overview: 'Übersicht',
    Language: 'Sprache',
    Dismiss: 'Schließen',
    Theme: 'Farbschema',
    Light: 'Hell',
    Dark: 'Dunkel',
    System: 'System',
    Profile: 'Profil',
    Security: 'Sicherheit',
    Sessions: 'Sitzungen',
    Appearance: 'Darstellung',
    'Back to {name}': 'Zurück zu {name}',
    'Sign in or sign up': 'Anmelden oder registrieren',
    'Skip to content': 'Zum Inhalt springen',
    'Menu of {name}': 'Menü von {name}',
    'Email verification': 'Bestätigung der E-Mail-Adresse',
    'Please verify your email address. We sent a link to {email}.':
      'Bitte bestätigen Sie Ihre E-Mail-Adresse. Wir haben einen Link an {email} gesendet.',
    // Pictures
    "This browser can't read HEIC photos. Choose a JPEG instead: phones convert the photos they send by email.":
      'Dieser Browser kann keine HEIC-Fotos lesen. Wählen Sie das Foto als JPEG: Telefone wandeln Fotos beim Versand per E-Mail um.',
    'This is not a picture we can read. Choose a JPEG, PNG, WebP, GIF or AVIF.':
      'Dieses Bild können wir nicht lesen. Wählen Sie ein Bild im Format JPEG, PNG, WebP, GIF oder AVIF.',
    Picture: 'Bild',
    'Choose a file, drop it here, or paste it.':
      'Wählen Sie eine Datei, ziehen Sie sie hierher oder fügen Sie sie ein.',
    'Change picture': 'Bild ändern',
    'Choose a picture': 'Bild wählen',
    'Remove picture': 'Bild entfernen',
    'This picture could not be made smaller. Try another one.':
      'Dieses Bild konnte nicht verkleinert werden. Versuchen Sie es mit einem anderen.',
    'Update picture': 'Bild ändern',
    'Drag the picture, or move it with the arrow keys and zoom with + and −.':
      'Ziehen Sie das Bild oder bewegen Sie es mit den Pfeiltasten und zoomen Sie mit + und −.',
    Zoom: 'Zoom',
    Sent: 'Gesendet',
    'Crop area': 'Bildausschnitt',
    // Dialogs
    Cancel: 'Abbrechen',
    // Error pages
    "We couldn't read that request (400)": 'Diese Anfrage konnten wir nicht lesen (400)',
    "We couldn't read that request": 'Diese Anfrage konnten wir nicht lesen',
    'Something in it was missing or broken. Go back, check what you entered and try again.':
      'Etwas darin fehlte oder war fehlerhaft. Gehen Sie zurück, prüfen Sie Ihre Eingaben und versuchen Sie es noch einmal.',
    'Page not found (404)': 'Seite nicht gefunden (404)',
    'Page not found': 'Seite nicht gefunden',
    "The page was moved or deleted, or you don't have access to it. Check the address, or start again from the home page.":
      'Die Seite wurde verschoben oder gelöscht, oder Sie haben keinen Zugriff darauf. Prüfen Sie die Adresse oder beginnen Sie neu auf der Startseite.',
    'Your browser is too old (406)': 'Ihr Browser ist zu alt (406)',
    'Your browser is too old': 'Ihr Browser ist zu alt',
    'This site needs Chrome 120, Firefox 121, Safari 17.2, Opera 106 or newer. Please update your browser and come back.':
      'Diese Website benötigt Chrome 120, Firefox 121, Safari 17.2, Opera 106 oder eine neuere Version. Bitte aktualisieren Sie Ihren Browser und kommen Sie wieder.',
    "Delete this site's cookies (431)": 'Löschen Sie die Cookies dieser Website (431)',
    "Delete this site's cookies": 'Löschen Sie die Cookies dieser Website',
    'Your browser sends more of them than we can read, or the address is too long.':
      'Ihr Browser sendet mehr davon, als wir lesen können, oder die Adresse ist zu lang.',
    'Click the symbol beside the address, open the cookies and site data, and delete them. In Safari, open Settings, Privacy, Manage Website Data. Then reload this page and sign in again.':
      'Klicken Sie auf das Symbol neben der Adresse, öffnen Sie die Cookies und Websitedaten und löschen Sie sie. In Safari finden Sie sie unter Einstellungen, Datenschutz, Website-Daten verwalten. Laden Sie diese Seite danach neu und melden Sie sich wieder an.',
    'This form has expired (422)': 'Dieses Formular ist abgelaufen (422)',
    'This form has expired': 'Dieses Formular ist abgelaufen',
    'It was open for too long, came from somewhere else, or was sent without JavaScript, which adds a security check. Nothing was changed. Reload the page and try again.':
      'Es war zu lange geöffnet, stammte von anderer Stelle oder wurde ohne JavaScript gesendet, das eine Sicherheitsprüfung hinzufügt. Es wurde nichts geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    'Something went wrong on our side (500)': 'Bei uns ist etwas schiefgegangen (500)',
    'Something went wrong on our side': 'Bei uns ist etwas schiefgegangen',
    "It's not your fault. Wait a moment and try again.":
      'Es liegt nicht an Ihnen. Warten Sie einen Moment und versuchen Sie es erneut.',
    // Settings
    'Sign-ins': 'Anmeldungen',
    'Your activity': 'Ihre Aktivität',
    "What you did, and what others did to your account. If something wasn't you, {sessions} and {password}.":
      'Was Sie getan haben und was andere an Ihrem Konto geändert haben. Wenn Sie etwas davon nicht selbst waren, {sessions} und {password}.',
    'end all other sessions': 'beenden Sie alle anderen Sitzungen',
    'change your password': 'ändern Sie Ihr Passwort',
    '{name}': '{name} hat', // who did what an entry tells
    you: 'Sie',
    'No activity yet.': 'Noch keine Einträge.',
    'a passkey': 'Passkey',
    'Add a passkey': 'Passkey hinzufügen',
    "First, we need to know it's you. Then your device asks where to save the passkey and how to unlock it.":
      'Zuerst müssen wir sicher sein, dass Sie es sind. Danach fragt Ihr Gerät, wo der Passkey gespeichert und wie er entsperrt werden soll.',
    'You already have a passkey on this device.': 'Auf diesem Gerät ist bereits ein Passkey von Ihnen gespeichert.',
    'That did not work. Please try again in a moment.':
      'Das hat nicht funktioniert. Bitte versuchen Sie es gleich noch einmal.',
    'Always light': 'Immer hell',
    'Always dark': 'Immer dunkel',
    'Same as your device': 'Wie Ihr Gerät',
    'How everything looks in this browser.': 'Wie alles in diesem Browser aussieht.',
    'You sign in with it, and we write to you there when it matters.':
      'Damit melden Sie sich an, und dorthin schreiben wir, wenn es darauf ankommt.',
    'Change email': 'E-Mail-Adresse ändern',
    Verified: 'Bestätigt',
    "If you ever forget your password, we'll send a link to this address.":
      'Falls Sie Ihr Passwort vergessen, senden wir einen Link an diese Adresse.',
    'Resend verification email': 'Bestätigungs-E-Mail erneut senden',
    'Not verified': 'Nicht bestätigt',
    "You don't have one: you sign in without it.": 'Sie haben keines: Sie melden sich ohne Passwort an.',
    'Set a password': 'Passwort festlegen',
    "We'll send a link to {email}. It works once and expires after 20 minutes. Setting a password signs you out everywhere.":
      'Wir senden einen Link an {email}. Er ist einmalig und 20 Minuten gültig. Wenn Sie ein Passwort festlegen, werden Sie überall abgemeldet.',
    'Send the link': 'Link senden',
    'Single sign-on': 'Single Sign-on',
    'Connected accounts': 'Verbundene Konten',
    'Anyone who can sign in to one of these accounts can sign in here as you. What you do here is not shared with them.':
      'Wer sich bei einem dieser Konten anmelden kann, kann sich auch hier als Sie anmelden. Was Sie hier tun, erfährt dort niemand.',
    'Connect {name}': '{name} verbinden',
    "First, we need to know it's you. Then {name} asks whether you agree.":
      'Zuerst müssen wir sicher sein, dass Sie es sind. Danach fragt {name}, ob Sie einverstanden sind.',
    'Connected {day}, {use}': 'Verbunden am {day}, {use}',
    'used {time}': 'zuletzt verwendet {time}',
    'not used yet': 'noch nicht verwendet',
    'Disconnect {provider}?': 'Verbindung mit {provider} trennen?',
    Disconnect: 'Trennen',
    "You'll no longer be able to sign in with it. You stay signed in.":
      'Damit können Sie sich hier dann nicht mehr anmelden. Ihre aktuelle Sitzung bleibt bestehen.',
    'Same as your browser': 'Wie Ihr Browser',
    'For these pages and for the emails you get.': 'Für diese Seiten und für die E-Mails, die Sie erhalten.',
    Passkeys: 'Passkeys',
    'A passkey is stored on your phone, on your computer or in your password manager, and unlocks the same way as your device: with your fingerprint, face or PIN. It replaces your password and code, and nobody can trick you into giving it away.':
      'Ein Passkey liegt auf Ihrem Telefon, Ihrem Computer oder in Ihrem Passwortmanager und wird so entsperrt wie das Gerät: mit Fingerabdruck, Gesicht oder PIN. Er ersetzt Passwort und Code, und niemand kann ihn Ihnen mit einem Trick entlocken.',
    'Added {day}, {use}': 'Hinzugefügt am {day}, {use}',
    'Synced: on all your devices with that account': 'Synchronisiert: auf allen Ihren Geräten mit diesem Konto',
    'On one device only': 'Nur auf einem Gerät',
    'Remove this passkey?': 'Diesen Passkey entfernen?',
    '{name} will no longer sign you in. Your device may keep showing it until you delete it there, too.':
      'Mit {name} kann sich dann niemand mehr anmelden. Ihr Gerät zeigt den Passkey womöglich weiterhin an, bis Sie ihn auch dort löschen.',
    'Changing it signs you out on all your other devices.':
      'Wenn Sie es ändern, werden Sie auf allen anderen Geräten abgemeldet.',
    'New password': 'Neues Passwort',
    'Change password': 'Passwort ändern',
    'How you appear to the people you share a workspace with.':
      'So erscheinen Sie den Personen, mit denen Sie einen Arbeitsbereich teilen.',
    'Your picture': 'Ihr Bild',
    'Helps others recognize you.': 'Damit andere Sie leichter erkennen.',
    'Your data': 'Ihre Daten',
    'Everything we store about you, in one file: your profile, sessions, workspaces and activity.':
      'Alles, was über Sie gespeichert ist, in einer Datei: Ihr Profil, Ihre Sitzungen, Arbeitsbereiche und Aktivität.',
    'Download your data': 'Daten herunterladen',
    'Delete your account': 'Konto löschen',
    'This permanently deletes your account.': 'Damit wird Ihr Konto endgültig gelöscht.',
    "You're signed out everywhere right away.": 'Sie werden sofort überall abgemeldet.',
    'Workspaces without other members are deleted with your account.':
      'Arbeitsbereiche, zu denen sonst niemand gehört, werden mit Ihrem Konto gelöscht.',
    'Your recovery codes are copied.': 'Ihre Wiederherstellungscodes sind kopiert.',
    'Save your recovery codes': 'Ihre Wiederherstellungs\u00adcodes sichern',
    "If you lose your phone, each of them signs you in once. They are shown only now, so keep them where you'd keep a spare key, and not on that phone.":
      'Mit jedem können Sie sich einmal anmelden, wenn Sie Ihr Telefon verlieren. Sie werden nur jetzt angezeigt: Bewahren Sie sie dort auf, wo auch ein Ersatzschlüssel läge, und nicht auf diesem Telefon.',
    Copy: 'Kopieren',
    Download: 'Herunterladen',
    Print: 'Drucken',
    "I've saved them": 'Ich habe sie gesichert',
    'Rename this passkey': 'Diesen Passkey umbenennen',
    'Name it after the device or the password manager that stores it.':
      'Benennen Sie ihn nach dem Gerät oder dem Passwortmanager, der ihn speichert.',
    Rename: 'Umbenennen',
    'Authenticator app': 'Authenticator-App',
    On: 'Aktiv',
    'An app on your phone shows a new code every 30 seconds. Signing in then takes your password and that code, so nobody gets in with just a stolen password.':
      'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code an. Zum Anmelden brauchen Sie dann Ihr Passwort und diesen Code, sodass ein gestohlenes Passwort allein niemandem nützt.',
    'On since {time}.': 'Aktiv seit {time}.',
    'Turn off': 'Deaktivieren',
    'Turn off two-factor authentication?': 'Zwei-Faktor-Authentisierung deaktivieren?',
    'From then on, your password alone is enough to sign in, for you and for anyone else who may know it. Your recovery codes stop working.':
      'Danach genügt zum Anmelden wieder Ihr Passwort allein, Ihnen und allen, die es womöglich kennen. Ihre Wiederherstellungscodes werden ungültig.',
    'Set up': 'Einrichten',
    'Set up an authenticator app': 'Authenticator-App einrichten',
    'Lost your phone?': 'Telefon verloren?',
    'You signed in with a recovery code.': 'Sie haben sich mit einem Wiederherstellungscode angemeldet.',
    'Turn the app off and set it up on your new phone, and create new codes.':
      'Deaktivieren Sie die App, richten Sie sie auf Ihrem neuen Telefon ein und erstellen Sie neue Codes.',
    'I still have it': 'Ich habe es noch',
    'Set up a new phone': 'Neues Telefon einrichten',
    'No recovery codes left': 'Keine Wiederherstellungscodes mehr',
    "Each of them signs you in once when you don't have your phone.":
      'Mit jedem können Sie sich einmal anmelden, wenn Sie Ihr Telefon nicht zur Hand haben.',
    'Create new codes': 'Neue Codes erstellen',
    'Create new recovery codes?': 'Neue Wiederherstellungs\u00adcodes erstellen?',
    "You'll get ten new ones, and your current ones stop working.":
      'Sie erhalten zehn neue, und die bisherigen werden ungültig.',
    '{count} recovery codes left': {
      one: 'Noch {count} Wiederherstellungscode',
      other: 'Noch {count} Wiederherstellungscodes',
    },
    'What protects your account.': 'Was Ihr Konto schützt.',
    "Where you're signed in. End any session you don't recognize.":
      'Hier sind Sie angemeldet. Beenden Sie jede Sitzung, die Sie nicht kennen.',
    'End all other sessions': 'Alle anderen Sitzungen beenden',
    "You're signed out right away everywhere except on this device.":
      'Sie werden sofort überall außer auf diesem Gerät abgemeldet.',
    'This device': 'Dieses Gerät',
    'Signed in {time} {method}': 'Angemeldet: {time} {method}',
    'Set up your app': 'App einrichten',
    'Open an authenticator app on your phone. Many password managers work, too.':
      'Öffnen Sie eine Authenticator-App auf Ihrem Telefon. Viele Passwortmanager können das auch.',
    'Scan this picture with it.': 'Scannen Sie damit dieses Bild.',
    'The key below as a QR code': 'Der Schlüssel unten als QR-Code',
    'No camera? {link}, or type this key: {key}': 'Keine Kamera? {link} oder diesen Schlüssel eingeben: {key}',
    'Open the app on this device': 'App auf diesem Gerät öffnen',
    'Enter the six digits the app shows now. You have ten minutes.':
      'Geben Sie die sechs Ziffern ein, die die App jetzt anzeigt. Sie haben zehn Minuten Zeit.',
    'Turn on': 'Aktivieren',
    // Shared
    'just now': 'gerade eben',
    // Failures
    'That no longer exists.': 'Das gibt es hier nicht mehr.',
    'That is too much at once. Make it shorter and try again.':
      'Das ist zu viel auf einmal. Kürzen Sie es und versuchen Sie es erneut.',
    'This page is out of date. Reload it and try again.':
      'Diese Seite ist veraltet. Laden Sie sie neu und versuchen Sie es erneut.',
    'Too many tries. Wait a moment and try again.':
      'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es erneut.',
    'We are busy right now. Wait a moment and try again.':
      'Hier ist gerade viel los. Warten Sie einen Moment und versuchen Sie es erneut.',
    'Something went wrong on our side. Please try again.':
      'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
    "We can't reach the server. Check your connection and try again: nothing you typed is lost.":
      'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut: Ihre Eingaben sind nicht verloren.',
    // Activities
    '{actor} signed up': '{actor} sich registriert',
    '{actor} signed in {method}': '{actor} sich {method} angemeldet',
    '{actor} signed in': '{actor} sich angemeldet',
    '{actor} signed out': '{actor} sich abgemeldet',
    '{actor} ended another session': '{actor} eine andere Sitzung beendet',
    '{actor} ended all other sessions': '{actor} alle anderen Sitzungen beendet',
    'Someone tried to sign in with a wrong password':
      'Jemand hat versucht, sich mit einem falschen Passwort anzumelden',
    '{actor} verified the email address': '{actor} die E-Mail-Adresse bestätigt',
    '{actor} changed the name from {from} to {to}': '{actor} den Namen von {from} in {to} geändert',
    'The earlier email address is back': 'Die frühere E-Mail-Adresse gilt wieder',
    '{actor} changed the email address': '{actor} die E-Mail-Adresse geändert',
    '{actor} changed the password': '{actor} das Passwort geändert',
    '{actor} reset the password by email': '{actor} das Passwort per E-Mail zurückgesetzt',
    '{actor} exported all data': '{actor} alle Daten exportiert',
    '{actor} turned on two-factor authentication': '{actor} die Zwei-Faktor-Authentisierung aktiviert',
    '{actor} turned off two-factor authentication': '{actor} die Zwei-Faktor-Authentisierung deaktiviert',
    '{actor} created new recovery codes': '{actor} neue Wiederherstellungscodes erstellt',
    '{actor} used a recovery code': '{actor} einen Wiederherstellungscode verwendet',
    'Someone who knows the password entered ten wrong codes':
      'Jemand, der das Passwort kennt, hat zehnmal einen falschen Code eingegeben',
    '{actor} added the passkey {passkey}': '{actor} den Passkey {passkey} hinzugefügt',
    '{actor} renamed the passkey {from} to {to}': '{actor} den Passkey {from} in {to} umbenannt',
    '{actor} removed the passkey {passkey}': '{actor} den Passkey {passkey} entfernt',
    '{actor} removed the picture': '{actor} das Bild entfernt',
    '{actor} changed the picture': '{actor} das Bild geändert',
    '{actor} connected {provider}': '{actor} {provider} verbunden',
    '{actor} disconnected {provider}': '{actor} {provider} getrennt',
    '{actor} created the workspace {account}': '{actor} den Arbeitsbereich {account} erstellt',
    '{actor} created the workspace': '{actor} den Arbeitsbereich erstellt',
    '{actor} renamed the workspace from {from} to {to}': '{actor} den Arbeitsbereich {from} in {to} umbenannt',
    '{actor} deleted the workspace {account}': '{actor} den Arbeitsbereich {account} gelöscht',
    '{actor} deleted the workspace': '{actor} den Arbeitsbereich gelöscht',
    '{actor} invited {invited} as {role}': '{actor} {invited} als {role} eingeladen',
    '{actor} revoked the invitation for {invited} as {role}':
      '{actor} die Einladung an {invited} als {role} widerrufen',
    '{actor} declined the invitation to the workspace {account} as {role}':
      '{actor} die Einladung in den Arbeitsbereich {account} als {role} abgelehnt',
    '{actor} declined the invitation to the workspace as {role}':
      '{actor} die Einladung in den Arbeitsbereich als {role} abgelehnt',
    'You joined {account} as {role}': 'Sie sind {account} als {role} beigetreten',
    '{name} joined as {role}': '{name} ist als {role} beigetreten',
    '{actor} removed {other}': '{actor} {other} entfernt',
    '{actor} left {account}': '{actor} {account} verlassen',
    '{actor} left': '{actor} den Arbeitsbereich verlassen',
    '{other} became {role} because no owner was left': '{other} wurde {role}, da es keinen Inhaber mehr gab',
    'You became {role} in {account} because no owner was left':
      'Sie wurden {role} in {account}, da es keinen Inhaber mehr gab',
    '{actor} changed your own role in {account} from {from} to {to}':
      '{actor} die eigene Rolle in {account} von {from} zu {to} geändert',
    '{actor} changed your role in {account} from {from} to {to}':
      '{actor} Ihre Rolle in {account} von {from} zu {to} geändert',
    '{actor} changed their own role from {from} to {to}': '{actor} die eigene Rolle von {from} zu {to} geändert',
    '{actor} changed {other}’s role from {from} to {to}': '{actor} die Rolle von {other} von {from} zu {to} geändert',
    someone: 'jemanden',
    owner: 'Inhaber',
    admin: 'Admin',
    member: 'Mitglied',
    'an owner': 'Inhaber',
    'an admin': 'Admin',
    'a member': 'Mitglied',
    themselves: 'sich selbst',
    'An operator': 'Ein Betreiber',
    yourself: 'sich selbst',
    // Answers
    'That session has ended.': 'Diese Sitzung wurde beendet.',
    'That email or password is incorrect. Check both and try again.':
      'E-Mail-Adresse oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
    'Your email is already verified, so this link is no longer needed.':
      'Ihre E-Mail-Adresse ist bereits bestätigt, Sie brauchen diesen Link nicht mehr.',
    'Try again later.': 'Versuchen Sie es später erneut.',
    'Too many tries. Try again later: {distance}.': 'Zu viele Versuche. Versuchen Sie es {distance} erneut.',
    // Field messages
    '{label} {message}.': '{label} {message}.',
    'That is not your current password.': 'Das ist nicht Ihr aktuelles Passwort.',
    '{label} is missing.': '{label} fehlt.',
    'Enter your current password.': 'Geben Sie Ihr aktuelles Passwort ein.',
    'The picture is missing.': 'Das Bild fehlt.',
    'That passkey did not work. Try again, or use your password.':
      'Dieser Passkey hat nicht funktioniert. Versuchen Sie es erneut oder verwenden Sie Ihr Passwort.',
    'That code is wrong or was already used.': 'Dieser Code ist falsch oder wurde schon verwendet.',
    'The password needs at least {min} characters.': 'Das Passwort braucht mindestens {min} Zeichen.',
    '{label} is too long: 72 characters at most, fewer with accents and emoji.':
      '{label} ist zu lang: höchstens 72 Zeichen, mit Umlauten, Akzenten und Emojis weniger.',
    'This is not a picture we can read.': 'Dieses Bild können wir nicht lesen.',
    'The picture is too large: 8 MB at most.': 'Das Bild ist zu groß: höchstens 8 MB.',
    'The picture has too many pixels: 50 million at most.': 'Das Bild hat zu viele Pixel: höchstens 50 Millionen.',
    'An account with this email already exists.': 'Ein Konto mit dieser E-Mail-Adresse gibt es bereits.',
    'This address has already been invited.': 'Diese Adresse wurde bereits eingeladen.',
    'This address already belongs to a member.': 'Diese Adresse gehört bereits zu einem Mitglied.',
    'This address cannot be invited again today.': 'Diese Adresse kann heute nicht noch einmal eingeladen werden.',
    // Ways to sign in
    'with a password': 'mit Passwort',
    '{first} and a code': '{first} und Code',
    '{first} and a recovery code': '{first} und Wiederherstellungscode',
    '{first} in a trusted browser': '{first} in einem vertrauenswürdigen Browser',
    'with a passkey': 'mit Passkey',
    'with {provider}': 'mit {provider}',
    // Roles
    Owner: 'Inhaber',
    'Owner: you have full control of the workspace.': 'Inhaber: Sie haben volle Kontrolle über den Arbeitsbereich.',
    'Admin: you manage the workspace and its members.': 'Admin: Sie verwalten den Arbeitsbereich und seine Mitglieder.',
    'Member: you can see the workspace and its members.':
      'Mitglied: Sie sehen den Arbeitsbereich und seine Mitglieder.',
    'Full control': 'Hat volle Kontrolle',
    'Manages the workspace and its members': 'Verwaltet den Arbeitsbereich und seine Mitglieder',
    'Part of the workspace': 'Gehört zum Arbeitsbereich',
    // Other messages
    "You don't have permission to do that": 'Dazu fehlt Ihnen die Berechtigung',
    'You are signed in as {email} now. Nothing was changed':
      'Sie sind jetzt als {email} angemeldet. Es wurde nichts geändert',
    'Your session has ended. Please sign in again': 'Ihre Sitzung ist beendet. Bitte melden Sie sich erneut an',
    'Set a password or add a passkey first': 'Legen Sie zuerst ein Passwort fest oder fügen Sie einen Passkey hinzu',
    'Set a password first': 'Legen Sie zuerst ein Passwort fest',
    'Your {appName} account has been permanently deleted, along with everything that belonged only to you.':
      'Ihr Konto bei {appName} wurde endgültig gelöscht, zusammen mit allem, was nur Ihnen gehörte.',
    "If this wasn't you, someone knew your password. Change it anywhere else you use it.":
      'Das waren nicht Sie? Dann kannte jemand Ihr Passwort. Bitte ändern Sie es überall, wo Sie es sonst noch verwenden.',
    'The workspace {workspace} is deleted with your account.':
      'Der Arbeitsbereich {workspace} wird mit Ihrem Konto gelöscht.',
    'The workspace {workspace} stays, and {successor} becomes its owner.':
      'Der Arbeitsbereich {workspace} bleibt bestehen, {successor} wird Inhaber.',
    'You are signed out.': 'Sie sind abgemeldet.',
    "That's already your address.": 'Das ist bereits Ihre Adresse.',
    'You own it already': 'Sie sind bereits Inhaber',
    '{name} is suspended': '{name} ist gesperrt',
    'Ownership transferred': 'Inhaberrolle übertragen',
    'Is the ending missing, such as .com? If the address is right, send it again.':
      'Fehlt die Endung, etwa .com? Falls die Adresse stimmt, senden Sie noch einmal.',
    'Skip the password next time?': 'Nächstes Mal ohne Passwort?',
    'With a passkey, you sign in with your fingerprint, face or PIN. It takes a minute to add one.':
      'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder PIN an. Das Einrichten dauert eine Minute.',
    'No, thanks': 'Nein, danke',
    'Require two-factor authentication in {name}?': 'Zwei-Faktor-Authentisierung in {name} vorschreiben?',
    'Checking who has neither a code nor a passkey…': 'Es wird geprüft, wer weder Code noch Passkey hat\u00a0…',
    'All members already have a code or a passkey.': 'Alle Mitglieder haben bereits einen Code oder einen Passkey.',
    'Members who signed in with only a password are asked for a second factor the next time they open the workspace.':
      'Wer sich nur mit dem Passwort angemeldet hat, wird beim nächsten Zugriff nach dem zweiten Faktor gefragt.',
    'Transfer {account} to {name}?': '{account} an {name} übertragen?',
    'Transfer ownership': 'Inhaberrolle übertragen',
    '{name} becomes an owner with full control: members and their roles, settings, deletion.':
      '{name} wird Inhaber mit voller Kontrolle: Mitglieder und ihre Rollen, Einstellungen, Löschung.',
    'You become an admin: you can still manage members and settings, but not delete the workspace or make others owners.':
      'Sie werden Admin: Sie verwalten weiterhin Mitglieder und Einstellungen, können den Arbeitsbereich aber weder löschen noch Inhaber ernennen.',
    'Only an owner can make you an owner again.': 'Nur ein Inhaber kann Sie wieder dazu machen.',
    'Transfer ownership…': 'Inhaberrolle übertragen\u00a0…',
    'They become an owner, and you an admin': 'Wird Inhaber, Sie werden Admin',
    'Last used': 'Zuletzt',
    "Lost both? Ask the {appName} team to turn it off once they have confirmed it's you.":
      'Beides verloren? Wenden Sie sich an das Team von {appName}: Es prüft, ob Sie es sind, und deaktiviert sie dann.',
    "Thank you. {email} is now verified, here and on every device where you're signed in.":
      'Vielen Dank. {email} ist jetzt bestätigt, hier und auf jedem Gerät, auf dem Sie angemeldet sind.',
    'Continue to sign in': 'Weiter zur Anmeldung',
    'Two-factor authentication: a code from an app, or a passkey. You set one up when you join.':
      'Zwei-Faktor-Authentisierung: ein Code aus einer App oder ein Passkey. Sie richten das beim Beitritt ein.',
    '{by} removed you from {name}.': '{by} hat Sie aus {name} entfernt.',
    'The token {by} removed you from {name}.': 'Das Token {by} hat Sie aus {name} entfernt.',
    '{by} deleted {name}.': '{by} hat {name} gelöscht.',
    "This browser can't store passkeys. Try another one, or your phone.":
      'Dieser Browser kann keine Passkeys speichern. Versuchen Sie es mit einem anderen oder mit Ihrem Telefon.',
    "This browser doesn't let us copy. Select and copy the text yourself.":
      'Dieser Browser erlaubt das Kopieren nicht. Markieren und kopieren Sie den Text selbst.',
    Leave: 'Verlassen',
    'Leave without your recovery codes?': 'Seite ohne Ihre Wiederherstellungscodes verlassen?',
    "They are shown only now. If you lose your phone, you'll need them to sign in.":
      'Sie werden nur jetzt angezeigt. Geht Ihr Telefon verloren, brauchen Sie sie zur Anmeldung.',
    'Back to the codes': 'Zurück zu den Codes',
    'Two-factor authentication is required': 'Zwei-Faktor-Authentisierung ist Pflicht',
    'Set up an authenticator app or a passkey here. Then you can continue to:':
      'Richten Sie hier eine Authenticator-App oder einen Passkey ein. Danach geht es weiter zu:',
    'The key is copied.': 'Der Schlüssel ist kopiert.',
    'Copy the key': 'Schlüssel kopieren',
    'That link was already used or has expired. Ask for a new one here.':
      'Dieser Link wurde bereits verwendet oder ist abgelaufen. Fordern Sie hier einen neuen an.',
    '{count} of {members} have neither a code nor a passkey. They can get back in once they have set one up:': {
      one: '{count} von {members} hat weder Code noch Passkey und muss zuerst eines davon einrichten:',
      other: '{count} von {members} haben weder Code noch Passkey und müssen zuerst eines davon einrichten:',
    },
    "First, we need to know it's you. Once the app is set up, you're signed out on all your other devices.":
      'Zuerst müssen wir sicher sein, dass Sie es sind. Sobald die App eingerichtet ist, werden Sie auf allen anderen Geräten abgemeldet.',
    'You need': 'Sie brauchen',
    // Mails and what else is said of security
    'A passkey was added': 'Ein Passkey wurde hinzugefügt',
    'A passkey was removed': 'Ein Passkey wurde entfernt',
    'A recovery code was used': 'Ein Wiederherstellungscode wurde verwendet',
    'IP address': 'IP-Adresse',
    'the single sign-on of {place}': 'das Single Sign-on von {place}',
    'the single sign-on of a workspace': 'das Single Sign-on eines Arbeitsbereichs',
    'a code by mail to this address': 'ein Code per E-Mail an diese Adresse',
    'Your new password is now the only way to sign in.': 'Ihr neues Passwort ist jetzt der einzige Anmeldeweg.',
    'Your address was {email} before. Until {time}, a link that we sent there can take this account back.':
      'Vorher war Ihre Adresse {email}. Bis {time} kann ein Link, den wir dorthin geschickt haben, dieses Konto zurückholen.',
    'Besides your new password, these ways to sign in remain: {ways}.':
      'Neben dem neuen Passwort gibt es noch diese Anmeldewege: {ways}.',
    "Check {email}: we sent a link there, and you have two days to open it. Until then, we can't help you if you lose your password.":
      'Sehen Sie bei {email} nach: Dorthin haben wir einen Link gesendet, der zwei Tage gilt. Bis Sie ihn öffnen, können wir Ihnen nicht helfen, falls Sie Ihr Passwort vergessen.',
    'Choose a new password': 'Neues Passwort wählen',
    Device: 'Gerät',
    'From now on, signing in to {appName} with your password also takes a code from your authenticator app. All other devices have been signed out.':
      'ab jetzt brauchen Sie für die Anmeldung bei {appName} neben dem Passwort auch einen Code aus Ihrer Authenticator-App. Alle anderen Geräte wurden abgemeldet.',
    'From now on, your password alone is enough to sign in to {appName}. Your recovery codes no longer work.':
      'ab jetzt genügt Ihr Passwort allein für die Anmeldung bei {appName}. Ihre Wiederherstellungscodes sind ungültig.',
    'Hello {name},': 'Guten Tag {name},',
    'Hello,': 'Guten Tag,',
    "If this was you, there is nothing to do. If it wasn't, someone else has your account now: take it back right away, and change this password anywhere else you use it.":
      'Wenn Sie das waren, ist alles in Ordnung. Wenn nicht, hat jetzt jemand anders Ihr Konto: Holen Sie es sofort zurück und ändern Sie dieses Passwort überall, wo Sie es sonst noch verwenden.',
    'It can no longer be used to sign in to {appName} as you.':
      'damit kann sich niemand mehr als Sie bei {appName} anmelden.',
    'Join {place}': 'Einladung: {place}',
    'Keep your recovery codes in a safe place: without your phone, they are your way in.':
      'Bewahren Sie Ihre Wiederherstellungscodes sicher auf: Ohne Ihr Telefon sind sie der Weg in Ihr Konto.',
    'New sign-in to {appName}': 'Neue Anmeldung bei {appName}',
    'You have none left. Create new ones.': 'Es ist keiner mehr übrig. Bitte erstellen Sie neue.',
    'You have one left.': 'Einer davon ist noch übrig.',
    'Or copy this address into your browser:': 'Oder kopieren Sie diese Adresse in Ihren Browser:',
    'Change your password now, here and anywhere else you use it.':
      'Bitte ändern Sie Ihr Passwort jetzt, hier und überall, wo Sie es sonst noch verwenden.',
    'Please verify that {email} is your email address, so we can reach you when it matters.':
      'bitte bestätigen Sie, dass {email} Ihre E-Mail-Adresse ist, damit wir Sie erreichen, wenn es darauf ankommt.',
    Remove: 'Entfernen',
    'Review your sessions': 'Sitzungen prüfen',
    Revoke: 'Widerrufen',
    'See the invitation': 'Einladung ansehen',
    'Somebody knows your password': 'Jemand kennt Ihr Passwort',
    "Someone signed in to your account from a browser we haven't seen before.":
      'jemand hat sich mit einem Browser, den wir noch nicht kennen, als Sie angemeldet.',
    'Someone signed in to {appName} with your password and one of your recovery codes.':
      'jemand hat sich mit Ihrem Passwort und einem Ihrer Wiederherstellungscodes bei {appName} angemeldet.',
    'Someone entered your password on {appName}, then ten wrong codes in a row. They did not get in. Codes from your authenticator app are blocked for a while; a recovery code or a passkey still signs you in.':
      'jemand hat bei {appName} Ihr Passwort eingegeben und danach zehnmal in Folge einen falschen Code. Die Anmeldung ist nicht gelungen, und Codes aus Ihrer Authenticator-App werden eine Zeit lang abgelehnt. Mit einem Wiederherstellungscode oder einem Passkey können Sie sich weiterhin anmelden.',
    "The email address of your {appName} account was just changed. This address no longer signs you in, and we won't write to it anymore.":
      'die E-Mail-Adresse Ihres Kontos bei {appName} wurde soeben geändert. Mit dieser Adresse können Sie sich nicht mehr anmelden, und wir schreiben nicht mehr an sie.',
    'Someone, hopefully you, asked to reset your {appName} password.':
      'jemand, hoffentlich Sie, hat bei {appName} ein neues Passwort angefordert.',
    'Take your account back': 'Konto zurückholen',
    "If this wasn't you, choose a new password right away.":
      'Das waren nicht Sie? Dann fordern Sie sofort ein neues Passwort an.',
    "If this wasn't you, someone else was signed in as you. End all other sessions, and check your connected accounts.":
      'Das waren nicht Sie? Dann war jemand anders als Sie angemeldet. Bitte beenden Sie alle anderen Sitzungen und prüfen Sie Ihre verbundenen Konten.',
    "If this wasn't you, someone knows your password. Change it right away.":
      'Das waren nicht Sie? Dann kennt jemand Ihr Passwort. Bitte ändern Sie es sofort.',
    "If it wasn't, someone knows your password. Change it right away: that signs out all other devices.":
      'Das waren nicht Sie? Dann kennt jemand Ihr Passwort. Bitte ändern Sie es sofort: Damit werden alle anderen Geräte abgemeldet.',
    "If this wasn't you, someone knows your password. Change it, and check your passkeys.":
      'Das waren nicht Sie? Dann kennt jemand Ihr Passwort. Bitte ändern Sie es und prüfen Sie Ihre Passkeys.',
    'If this was you, you can ignore this email.': 'Das waren Sie? Dann können Sie diese E-Mail ignorieren.',
    'The invitation expires on {day}.': 'Die Einladung gilt bis {day}.',
    'The link works once and expires after 20 minutes.': 'Der Link ist einmalig und 20 Minuten gültig.',
    'The link works once and expires after two days.': 'Der Link ist einmalig und zwei Tage gültig.',
    'The link works once and expires after three days.': 'Der Link ist einmalig und drei Tage gültig.',
    'The passkey can no longer be used to sign in to {appName}.':
      'mit dem Passkey kann sich niemand mehr bei {appName} anmelden.',
    'The password of your {appName} account has been changed, and all other devices have been signed out.':
      'das Passwort Ihres Kontos bei {appName} wurde geändert, und alle anderen Geräte wurden abgemeldet.',
    "This wasn't me: remove the account": 'Das war ich nicht: Konto entfernen',
    Time: 'Zeit',
    'Unknown browser': 'Unbekannter Browser',
    'Verify email': 'E-Mail-Adresse bestätigen',
    'Anyone who can sign in to your {provider} account can now sign in to {appName} as you.':
      'wer sich bei {provider} als Sie anmelden kann, kann sich auch bei {appName} als Sie anmelden.',
    'Anyone with this passkey can sign in to {appName} as you, without your password.':
      'wer den neuen Passkey besitzt, kann sich ohne Ihr Passwort als Sie bei {appName} anmelden.',
    "If you didn't ask for this, you can ignore this email: your password stays as it is.":
      'Sie haben es nicht angefordert? Dann können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.',
    "If you didn't sign up for {appName}, you can ignore this email or remove the account.":
      'Sie haben sich nicht bei {appName} registriert? Dann können Sie diese E-Mail ignorieren oder das Konto entfernen.',
    "If you don't know what this is about, you can ignore this email.":
      'Sie wissen nicht, worum es geht? Dann können Sie diese E-Mail ignorieren.',
    '{name}’s workspace': 'Arbeitsbereich von {name}',
    Terms: 'Nutzungsbedingungen',
    Privacy: 'Datenschutz',
    Imprint: 'Impressum',
    Support: 'Hilfe',
    'Contact support': 'Hilfe anfordern',
    'Try again': 'Noch einmal versuchen',
    'Reference: {id}': 'Kennung: {id}',
    'Second factor': 'Zweiter Faktor',
    Joined: 'Dabei seit',
    Actions: 'Aktionen',
    'No members match. Try a shorter search or other filters.':
      'Keine Treffer. Geben Sie weniger vom Namen ein oder ändern Sie die Filter.',
    'Second factor: no': 'Zweiter Faktor: nein',
    'Second factor: yes': 'Zweiter Faktor: ja',
    'Second factor: any': 'Zweiter Faktor: alle',
    'Actions for {name}': 'Aktionen für {name}',
    'Remove from workspace…': 'Aus dem Arbeitsbereich entfernen\u00a0…',
    'Leave workspace…': 'Arbeitsbereich verlassen\u00a0…',
    Yes: 'Ja',
    No: 'Nein',
    'Sign in to {email} with your new password.': 'Melden Sie sich mit Ihrem neuen Passwort als {email} an.',
    'This page is still loading. What you pressed is done in a moment.':
      'Die Seite lädt noch. Ihr Klick wird gleich ausgeführt.',
    'By signing up, you agree to the {terms}. How your data is handled: {privacy}':
      'Mit der Registrierung stimmen Sie den {terms} zu. Wie wir mit Ihren Daten umgehen: {privacy}',
    'By signing up, you agree to the {terms}.': 'Mit der Registrierung stimmen Sie den {terms} zu.',
    'New email': 'Neue E-Mail-Adresse',
    '{count} members': { one: '{count} Mitglied', other: '{count} Mitglieder' },
    'Send again': 'Erneut senden',
    'Remove {name}': 'Entfernen: {name}',
    'Disconnect {name}': 'Trennen: {name}',
    'Rename {name}': 'Umbenennen: {name}',
    Add: 'Hinzufügen',
    'Sign out of {name}': 'Abmelden: {name}',
    'See the invitation to {account}': 'Einladung ansehen: {account}',
    'a workspace': 'ein Arbeitsbereich',
    'no recovery codes': 'keine Wiederherstellungscodes',
    'one recovery code': 'ein Wiederherstellungscode',
    'sign-in with {provider}': 'Anmeldung mit {provider}',
    'the passkey “{name}”': 'der Passkey „{name}“',
    'your authenticator app': 'Ihre Authenticator-App',
    '{action}?': '{action}?',
    '{actor} removed you from {account}': '{actor} Sie aus {account} entfernt',
    '{appName}: recovery codes': '{appName}: Wiederherstellungscodes',
    '{browser} on {system}': '{browser} unter {system}',
    'You have {count} left.': { one: 'Einer davon ist noch übrig.', other: '{count} davon sind noch übrig.' },
    '{count} recovery codes': { one: 'ein Wiederherstellungscode', other: '{count} Wiederherstellungscodes' },
    '{name} is now an owner of {place}': '{name} ist jetzt Inhaber: {place}',
    '{actor} made {name} an owner of {place}.': '{actor} hat {name} zum Inhaber gemacht: {place}.',
    '{name} is no longer an owner of {place}': '{name} ist nicht mehr Inhaber: {place}',
    '{actor} took the ownership of {place} from {name}.': '{actor} hat {name} die Inhaberrolle entzogen: {place}.',
    'Owners have full control: members and their roles, settings, deletion.':
      'Inhaber haben volle Kontrolle: Mitglieder und ihre Rollen, Einstellungen, Löschung.',
    'If this is not right, an owner can change the role again.':
      'Wenn das nicht stimmt, kann ein Inhaber die Rolle wieder ändern.',
    "If it was done in your name and it wasn't you, choose a new password right away.":
      'Wenn es in Ihrem Namen geschah, aber nicht von Ihnen, wählen Sie sofort ein neues Passwort.',
    'See the members': 'Mitglieder ansehen',
    '{inviter} invited you to {place} on {appName}': '{inviter} lädt Sie ein: {place} bei {appName}',
    '{inviter} invited you to {place} on {appName} as {role}.':
      '{inviter} lädt Sie als {role} ein: {place} bei {appName}.',
    '{provider} was connected': '{provider} wurde verbunden',
    '{provider} was disconnected': '{provider} wurde getrennt',
    'A provider was connected': 'Ein Anbieter wurde verbunden',
    'A provider was disconnected': 'Ein Anbieter wurde getrennt',
    'Your account gets {email} back as its address. Everyone is signed out of it, everything else that lets somebody in is removed, and invitations sent since then are withdrawn. Choose a new password, and you are signed in.':
      'Ihr Konto erhält {email} als Adresse zurück. Alle werden abgemeldet, alles andere, womit sich jemand anmelden kann, wird entfernt, und seitdem gesendete Einladungen werden widerrufen. Wählen Sie ein neues Passwort, dann sind Sie angemeldet.',
    'The account was brought from another system': 'Das Konto wurde aus einem anderen System übernommen',
    'That link was already used or has expired.': 'Dieser Link wurde bereits verwendet oder ist abgelaufen.',
    'What was ended': 'Was beendet wurde',
    'All devices were signed out, and invitations that were sent since then are withdrawn.':
      'Alle Geräte wurden abgemeldet, und seitdem gesendete Einladungen sind widerrufen.',
    'Removed: {ways}.': 'Entfernt: {ways}.',
    'What happened since your address was changed ({time}), newest first.':
      'Das ist geschehen, seit Ihre Adresse geändert wurde ({time}), das Neueste zuerst.',
    'Your account is yours again': 'Ihr Konto gehört wieder Ihnen',
    'Restore my email': 'E-Mail-Adresse wiederherstellen',
    'If you changed it yourself, close this page: nothing has changed.':
      'Sie haben sie selbst geändert? Dann schließen Sie diese Seite: Es hat sich nichts geändert.',
    'Your email has been restored. Choose a new password':
      'Ihre E-Mail-Adresse wurde wiederhergestellt. Wählen Sie ein neues Passwort',
    'Sign in': 'Anmelden',
    Reload: 'Neu laden',
    // Tokens
    Token: 'Token',
    'the token “{name}”': 'das Token „{name}“',
    'a token': 'ein Token',
    'Token created': 'Token erstellt',
    'Token revoked': 'Token widerrufen',
    'Review your tokens': 'Token prüfen',
    'A token was created': 'Ein Token wurde erstellt',
    'Programs with this token can use {appName} as you, until it expires.':
      'Programme mit diesem Token können {appName} in Ihrem Namen nutzen, bis es abläuft.',
    "If this wasn't you, someone knows your password. Change it, and revoke the token.":
      'Das waren nicht Sie? Dann kennt jemand Ihr Passwort. Bitte ändern Sie es und widerrufen Sie das Token.',
    'A token was revoked': 'Ein Token wurde widerrufen',
    'Programs with this token can no longer use {appName}.':
      'Programme mit diesem Token können {appName} nicht mehr nutzen.',
    "If this wasn't you, someone else was signed in as you. End all other sessions.":
      'Das waren nicht Sie? Dann war jemand anders als Sie angemeldet. Bitte beenden Sie alle anderen Sitzungen.',
    'You have 20 tokens already': 'Sie haben bereits 20 Token',
    Tokens: 'API-Token',
    'A token lets a program or an app use the API as you. Treat it like a password.':
      'Mit einem Token nutzt ein Programm oder eine App die API in Ihrem Namen. Behandeln Sie es wie ein Passwort.',
    'Your new token': 'Ihr neues Token',
    'The token is copied.': 'Das Token ist kopiert.',
    "You won't see this token again. Keep it where only your program can read it.":
      'Sie sehen dieses Token nicht noch einmal. Bewahren Sie es dort auf, wo nur Ihr Programm es lesen kann.',
    'Your tokens': 'Ihre API-Token',
    'You have no tokens yet.': 'Sie haben noch keine Token.',
    'Create a token': 'Token erstellen',
    'The name tells you later which program uses it.': 'Am Namen erkennen Sie später, welches Programm es nutzt.',
    Access: 'Zugriff',
    'Read only': 'Nur lesen',
    'Read and write': 'Lesen und schreiben',
    'Expires in': 'Läuft ab in',
    'Expired {day}': 'Abgelaufen am {day}',
    'Expires {day}': 'Läuft ab am {day}',
    'Revoke this token?': 'Dieses Token widerrufen?',
    'Programs that use {name} lose access at once.': 'Programme, die {name} nutzen, verlieren sofort den Zugriff.',
    '{actor} created the token {token}': '{actor} das Token {token} erstellt',
    '{actor} revoked the token {token}': '{actor} das Token {token} widerrufen',
    'Before you can add anything here, verify that {email} is yours. We sent a link there.':
      'Bevor Sie hier etwas hinzufügen können, müssen Sie bestätigen, dass {email} Ihnen gehört. Wir haben einen Link dorthin gesendet.',
    '{count} days': { one: '{count} Tag', other: '{count} Tagen' },
    // Invitation links
    'Invitation link created': 'Einladungslink erstellt',
    'Invitation link removed': 'Einladungslink entfernt',
    'Your new invitation link': 'Ihr neuer Einladungslink',
    'The link is copied.': 'Der Link ist kopiert.',
    'It is shown only now. Anyone who has it can join, so send it only to people you want here.':
      'Er wird nur jetzt angezeigt. Alle, die ihn haben, können beitreten: Senden Sie ihn nur an Personen, die dazugehören sollen.',
    'Up to {max} people with a verified address can join with it as members, for a week.':
      'Damit können eine Woche lang bis zu {max} Personen mit bestätigter E-Mail-Adresse als Mitglieder beitreten.',
    'Create link': 'Link erstellen',
    Replace: 'Ersetzen',
    'Replace the invitation link?': 'Einladungslink ersetzen?',
    'The invitation link has ended, too, since {name} may know it. Create a new one if you need it.':
      'Auch der Einladungslink gilt nicht mehr, da {name} ihn kennen könnte. Erstellen Sie bei Bedarf einen neuen.',
    'The current link stops working right away.': 'Der bisherige Link wird sofort ungültig.',
    'Remove link': 'Link entfernen',
    'Remove the invitation link?': 'Einladungslink entfernen?',
    'It has expired.': 'Er ist abgelaufen.',
    'It expires {day}.': 'Er läuft am {day} ab.',
    '{count} people joined.': { one: '{count} Person ist beigetreten.', other: '{count} Personen sind beigetreten.' },
    'This link has expired. If you need a new one, ask the person who sent it.':
      'Dieser Link ist abgelaufen. Wenn Sie einen neuen brauchen, fragen Sie die Person, die ihn gesendet hat.',
    'Sign in to join, or sign up if you have no account yet.':
      'Melden Sie sich an, um beizutreten, oder registrieren Sie sich, wenn Sie noch kein Konto haben.',
    'You are signed in as {email}.': 'Sie sind als {email} angemeldet.',
    'Before you can join, verify that {email} is yours: open the link that we sent there.':
      'Bestätigen Sie vor dem Beitritt, dass {email} Ihnen gehört: Öffnen Sie den Link, den wir dorthin gesendet haben.',
    Join: 'Beitreten',
    '{actor} created an invitation link for {account}': '{actor} einen Einladungslink für {account} erstellt',
    '{actor} created an invitation link': '{actor} einen Einladungslink erstellt',
    '{actor} removed the invitation link of {account}': '{actor} den Einladungslink von {account} entfernt',
    '{actor} removed the invitation link': '{actor} den Einladungslink entfernt',
    'You joined {account} as {role} with the invitation link':
      'Sie sind {account} über den Einladungslink als {role} beigetreten',
    '{name} joined as {role} with the invitation link': '{name} ist über den Einladungslink als {role} beigetreten',
    // Trusted browsers
    'Trusted browsers forgotten': 'Vertrauenswürdige Browser entfernt',
    'Trust this browser for 30 days': 'Diesem Browser 30 Tage lang vertrauen',
    'Trusted browsers': 'Vertrauenswürdige Browser',
    'Forget all': 'Alle entfernen',
    '{count} browsers sign in without a second step.': {
      one: '{count} Browser meldet Sie ohne zweiten Schritt an.',
      other: '{count} Browser melden Sie ohne zweiten Schritt an.',
    },
    // Rolled tokens, sessions of others, and what is missing
    'End this session?': 'Diese Sitzung beenden?',
    'End this session': 'Sitzung beenden',
    'It is signed out right away. Then you choose a new password, which signs out all your other devices, too.':
      'Sie wird sofort abgemeldet. Danach wählen Sie ein neues Passwort, das auch alle anderen Geräte abmeldet.',
    'Active {time}': 'Aktiv {time}',
    Summary: 'Übersicht',
    'Email verified': 'E-Mail-Adresse bestätigt',
    'Email not verified': 'E-Mail-Adresse nicht bestätigt',
    'Second factor on': 'Zweiter Faktor aktiv',
    'No second factor': 'Kein zweiter Faktor',
    'Nothing is missing.': 'Es fehlt nichts.',
    'If you forget your password, nothing leads back. Verify your email.':
      'Wenn Sie Ihr Passwort vergessen, kommen Sie nicht mehr in Ihr Konto. Bestätigen Sie Ihre E-Mail-Adresse.',
    'One lost phone would lock you out. Add a passkey.':
      'Ein verlorenes Telefon würde Sie aussperren. Fügen Sie einen Passkey hinzu.',
    'One lost device would lock you out. Set a password.':
      'Ein verlorenes Gerät würde Sie aussperren. Legen Sie ein Passwort fest.',
    'A stolen password is enough to sign in as you. Add a passkey.':
      'Ein gestohlenes Passwort genügt, um sich als Sie anzumelden. Fügen Sie einen Passkey hinzu.',
    'There is only one way in. Add a passkey.': 'Es gibt nur einen Anmeldeweg. Fügen Sie einen Passkey hinzu.',
    'Create new recovery codes before you need one.':
      'Erstellen Sie neue Wiederherstellungscodes, bevor Sie einen brauchen.',
    'To try it, run this in a terminal:': 'Zum Ausprobieren in einem Terminal ausführen:',
    'Copy the command': 'Befehl kopieren',
    'The command is copied.': 'Der Befehl ist kopiert.',
    Roll: 'Erneuern',
    'Roll…': 'Erneuern\u00a0…',
    'Revoke…': 'Widerrufen\u00a0…',
    'Roll this token?': 'Dieses Token erneuern?',
    'Token rolled': 'Token erneuert',
    'Expires {time}': 'Läuft ab: {time}',
    'A token expires soon': 'Ein Token läuft bald ab',
    'Roll it before the program that uses it loses access.':
      'Erneuern Sie es, bevor das Programm, das es nutzt, den Zugriff verliert.',
    'After that, programs with this token can no longer use {appName} as you.':
      'danach können Programme mit diesem Token {appName} nicht mehr in Ihrem Namen nutzen.',
    Expires: 'Läuft ab',
    'If you still need it, roll it: you get a new one, and the old one works for another hour.':
      'Wenn Sie es noch brauchen, erneuern Sie es: Sie erhalten ein neues, und das alte funktioniert noch eine Stunde.',
    '{count} ways to sign in': {
      one: '{count} Anmeldeweg',
      other: '{count} Anmeldewege',
    },
    '{count} sessions not seen for more than 30 days': {
      one: '{count} Sitzung, die seit über 30 Tagen nicht verwendet wurde',
      other: '{count} Sitzungen, die seit über 30 Tagen nicht verwendet wurden',
    },
    'You get a new token with the same name and access, for {count} days. The old one keeps working for an hour.': {
      one: 'Sie erhalten ein neues Token mit demselben Namen und Zugriff, für {count} Tag. Das alte funktioniert noch eine Stunde.',
      other:
        'Sie erhalten ein neues Token mit demselben Namen und Zugriff, für {count} Tage. Das alte funktioniert noch eine Stunde.',
    },
    // A code by mail
    'That code has expired. Ask for a new one': 'Dieser Code ist abgelaufen. Bitte fordern Sie einen neuen an',
    '{code} is your code for {appName}': '{code} ist Ihr Code für {appName}',
    'Your code for {appName}': 'Ihr Code für {appName}',
    'Your code to sign in': 'Ihr Code zur Anmeldung',
    'Enter it in the browser in which you asked for it:':
      'bitte geben Sie ihn in dem Browser ein, in dem Sie ihn angefordert haben:',
    'Never tell it to anybody. It works once, for ten minutes, and only in that browser.':
      'Geben Sie ihn an niemanden weiter. Er gilt einmal, zehn Minuten lang und nur in diesem Browser.',
    "If you didn't ask for a code, you can ignore this email: nobody can sign in without the code.":
      'Wenn Sie keinen Code angefordert haben, können Sie diese E-Mail ignorieren: Ohne den Code kann sich niemand anmelden.',
    'with a code by mail': 'mit einem Code per E-Mail',
    'with a code by mail and one from an app': 'mit einem Code per E-Mail und einem aus einer App',
    'with single sign-on': 'mit Single Sign-on',
    'Signed in': 'Angemeldet',
    "If it wasn't, someone reads your mail. Change the password of your mailbox first, then end all other sessions.":
      'Wenn nicht, liest jemand Ihre E-Mails. Ändern Sie zuerst das Passwort Ihres Postfachs und beenden Sie dann alle anderen Sitzungen.',
    'Enter your code': 'Code eingeben',
    'If {email} belongs to a verified account, {appName} has just sent it a mail with eight digits.':
      'Wenn {email} zu einem bestätigten Konto gehört, hat {appName} gerade eine E-Mail mit acht Ziffern dorthin gesendet.',
    'this address': 'diese Adresse',
    'It works for ten minutes, in the browser that asked for it.':
      'Er gilt zehn Minuten lang, in dem Browser, der ihn angefordert hat.',
    'It works for ten minutes, in this browser alone.': 'Er gilt zehn Minuten lang, nur in diesem Browser.',
    'Use my password instead': 'Stattdessen mein Passwort verwenden',
    'Nothing there? Look into the spam folder, too.': 'Nichts angekommen? Sehen Sie auch im Spam-Ordner nach.',
    'Nothing there? {button}': 'Nichts angekommen? {button}',
    'Email me a new code': 'Neuen Code per E-Mail senden',
    'Email me a code': 'Code per E-Mail senden',
    '{actor} trusted a browser': '{actor} einem Browser vertraut',
    '{actor} ended the trust in all browsers': '{actor} alle vertrauenswürdigen Browser entfernt',
    'The browser is trusted now: for 30 days, it needs no second step to sign in.':
      'Dem Browser wird jetzt vertraut: 30 Tage lang braucht er zur Anmeldung keinen zweiten Schritt.',
    'The browser is not trusted: a second step is needed each time.':
      'Dem Browser wird nicht vertraut: Jede Anmeldung braucht einen zweiten Schritt.',
    // What a mail is for
    'You can accept or decline until {day}.': 'Sie können sie bis {day} annehmen oder ablehnen.',
    'Was it you? If not, change your password.': 'Waren Sie das? Wenn nicht, ändern Sie Ihr Passwort.',
    'One click shows us that this address is yours.': 'Ein Klick zeigt uns, dass diese Adresse Ihnen gehört.',
    'You have 20 minutes to choose a new one.': 'Sie haben 20 Minuten Zeit, ein neues zu wählen.',
    'Check that it was you who added it.': 'Prüfen Sie, ob Sie ihn hinzugefügt haben.',
    'Check that it was you who removed it.': 'Prüfen Sie, ob Sie ihn entfernt haben.',
    'Check that it was you who connected it.': 'Prüfen Sie, ob Sie die Verbindung hergestellt haben.',
    'Check that it was you who disconnected it.': 'Prüfen Sie, ob Sie die Verbindung getrennt haben.',
    'Check that it was you who created it.': 'Prüfen Sie, ob Sie es erstellt haben.',
    'Check that it was you who revoked it.': 'Prüfen Sie, ob Sie es widerrufen haben.',
    'Check that it was you, and keep your recovery codes in a safe place.':
      'Prüfen Sie, ob Sie das waren, und bewahren Sie Ihre Wiederherstellungscodes sicher auf.',
    'Check that it was you: from now on, your password alone is enough.':
      'Prüfen Sie, ob Sie das waren: Ab jetzt genügt Ihr Passwort allein.',
    'Change it now. They did not get in.': 'Ändern Sie es jetzt. Die Anmeldung ist nicht gelungen.',
    'Check that it was you, and how many codes are left.':
      'Prüfen Sie, ob Sie das waren und wie viele Codes noch übrig sind.',
    "If it wasn't you, take your account back within three days.":
      'Waren Sie das nicht, holen Sie Ihr Konto innerhalb von drei Tagen zurück.',
    'Check that it was you, and which other ways to sign in remain.':
      'Prüfen Sie, ob Sie das waren und welche anderen Anmeldewege es noch gibt.',
    'This confirms it. There is nothing left to do.': 'Dies ist die Bestätigung. Es bleibt nichts weiter zu tun.',
    // Buttons, filters and failures
    'Change your password': 'Passwort ändern',
    Connect: 'Verbinden',
    Apply: 'Anwenden',
    'Nobody has joined yet.': 'Noch niemand ist beigetreten.',
    "That doesn't look like an email address.": 'Das sieht nicht nach einer E-Mail-Adresse aus.',
    "This page can't be shown": 'Diese Seite lässt sich nicht anzeigen',
    "Something on it isn't as we expected. Nothing was changed. Reload the page, or come back later.":
      'Etwas darauf ist anders als erwartet. Es wurde nichts geändert. Laden Sie die Seite neu oder kommen Sie später wieder.',
    'You are offline. What you type here is not lost.': 'Sie sind offline. Was Sie hier eingeben, geht nicht verloren.',
    // Operators
    'Your account is suspended': 'Ihr Konto ist gesperrt',
    "You can't do that in a workspace of yours": 'In einem eigenen Arbeitsbereich geht das nicht',
    '{name} is an owner now': '{name} ist jetzt Inhaber',
    'Open {appName}': '{appName} öffnen',
    'Your account was suspended': 'Ihr Konto wurde gesperrt',
    'You are signed out everywhere, until it is active again.': 'Sie sind überall abgemeldet, bis es wieder aktiv ist.',
    'An operator of {appName} suspended your account. You are signed out everywhere.':
      'ein Betreiber von {appName} hat Ihr Konto gesperrt. Sie sind überall abgemeldet.',
    'Your API tokens and the invitations that you sent have ended. What you own stays.':
      'Ihre API-Token und die Einladungen, die Sie gesendet haben, gelten nicht mehr. Was Ihnen gehört, bleibt.',
    'If you think that this is a mistake, write to whoever runs {appName}.':
      'Wenn Sie das für einen Irrtum halten, schreiben Sie an den Betreiber von {appName}.',
    'Your account is active again': 'Ihr Konto ist wieder aktiv',
    'You can sign in as before.': 'Sie können sich wie zuvor anmelden.',
    'An operator of {appName} lifted the suspension of your account.':
      'ein Betreiber von {appName} hat die Sperre Ihres Kontos aufgehoben.',
    'You can sign in as before. Create API tokens and invitations anew where you need them.':
      'Sie können sich wie zuvor anmelden. Erstellen Sie API-Token und Einladungen neu, wo Sie sie brauchen.',
    'You are an operator now': 'Sie sind jetzt Betreiber',
    'You can see and help everybody. You are signed out everywhere.':
      'Sie können alle sehen und allen helfen. Sie sind überall abgemeldet.',
    'You can find people and workspaces on {appName} now, and help them. All that you look at is logged.':
      'Sie können jetzt Personen und Arbeitsbereiche von {appName} finden und ihnen helfen. Alles, was Sie ansehen, wird protokolliert.',
    'You are signed out everywhere. From now on, each sign-in takes two factors, in every browser.':
      'Sie sind überall abgemeldet. Ab jetzt braucht jede Anmeldung zwei Faktoren, in jedem Browser.',
    'It ends when you turn off your authenticator app.': 'Das endet, wenn Sie Ihre Authenticator-App deaktivieren.',
    'You are no operator any more': 'Sie sind kein Betreiber mehr',
    'Your own account stays as it is.': 'Ihr eigenes Konto bleibt, wie es ist.',
    'You no longer see other people on {appName}. Your own account stays as it is.':
      'Sie sehen keine anderen Personen von {appName} mehr. Ihr eigenes Konto bleibt, wie es ist.',
    "If you didn't expect this, check your authenticator app, and write to whoever runs {appName}.":
      'Wenn Sie das nicht erwartet haben, prüfen Sie Ihre Authenticator-App und schreiben Sie an den Betreiber von {appName}.',
    'Sessions ended': 'Sitzungen beendet',
    'Second factor removed': 'Zweiter Faktor entfernt',
    'User suspended': 'Benutzer gesperrt',
    'Suspension lifted': 'Sperre aufgehoben',
    'User deleted': 'Benutzer gelöscht',
    'Use the command line for operators': 'Für Betreiber gibt es die Kommandozeile',
    'Workspace {id}': 'Arbeitsbereich {id}',
    'Since {day}': 'Seit {day}',
    'Requires two-factor authentication': 'Schreibt die Zwei-Faktor-Authentisierung vor',
    'Requires single sign-on': 'Schreibt Single Sign-on vor',
    'Nobody is in it.': 'Niemand gehört dazu.',
    'Make owner: {name}': 'Zum Inhaber machen: {name}',
    'The other owners get a mail.': 'Die anderen Inhaber bekommen eine E-Mail.',
    'Open invitations': 'Offene Einladungen',
    'None.': 'Keine.',
    Domains: 'Domains',
    unverified: 'nicht bestätigt',
    'Start of a name or address, or an id': 'Anfang von Name, Adresse, ID',
    Users: 'Benutzer',
    Log: 'Protokoll',
    'Operators of {appName}': 'Betreiber von {appName}',
    Operators: 'Betreiber',
    'Back to your own account': 'Zurück zum eigenen Konto',
    'listed users': 'Benutzer aufgelistet',
    'searched users': 'Benutzer gesucht',
    'listed workspaces': 'Arbeitsbereiche aufgelistet',
    'made somebody an operator': 'jemanden zum Betreiber gemacht',
    'ended an operator': 'jemandem die Rechte als Betreiber entzogen',
    'Members sign in again as before it was required. All owners get a mail.':
      'Mitglieder melden sich wieder an wie vor der Pflicht. Alle Inhaber erhalten eine E-Mail.',
    'stopped requiring single sign-on': 'die Pflicht zum Single Sign-on aufgehoben',
    'listed jobs': 'Aufgaben aufgelistet',
    'queued jobs again': 'Aufgaben erneut eingereiht',
    'ran a scheduled job': 'eine geplante Aufgabe ausgeführt',
    'Command line': 'Kommandozeile',
    'looked at a user': 'einen Benutzer angesehen',
    'ended sessions': 'Sitzungen beendet',
    'removed a second factor': 'einen zweiten Faktor entfernt',
    'suspended a user': 'einen Benutzer gesperrt',
    'lifted a suspension': 'eine Sperre aufgehoben',
    'deleted a user': 'einen Benutzer gelöscht',
    'searched workspaces': 'Arbeitsbereiche gesucht',
    'looked at a workspace': 'einen Arbeitsbereich angesehen',
    'made somebody an owner': 'jemanden zum Inhaber gemacht',
    'What operators looked at, searched and did, here and on the command line. Nobody can change it here.':
      'Was Betreiber hier und auf der Kommandozeile angesehen, gesucht und getan haben. Hier kann es niemand ändern.',
    'Nothing yet.': 'Noch nichts.',
    '{operator}: {action}': '{operator}: {action}',
    'Deleted operator {id}': 'Gelöschter Betreiber {id}',
    'User {id}': 'Benutzer {id}',
    'Suspended since {time}: {reason}': 'Gesperrt seit {time}: {reason}',
    'Suspended since {time}': 'Gesperrt seit {time}',
    'No way to sign in is left': 'Es gibt keinen Anmeldeweg mehr',
    'Codes of the app are locked until {time}, after too many wrong ones':
      'Codes der App sind nach zu vielen falschen Eingaben bis {time} gesperrt',
    'The email is not verified, so nothing but a verification is mailed':
      'Die E-Mail-Adresse ist nicht bestätigt, deshalb wird nur eine Bestätigung gesendet',
    "Why can't they get in?": 'Warum klappt die Anmeldung nicht?',
    'Nothing here keeps them out.': 'Hier steht der Anmeldung nichts im Weg.',
    'Ways in: {ways}': 'Anmeldung mit: {ways}',
    password: 'Passwort',
    'code by mail': 'Code per E-Mail',
    'second factor': 'zweiter Faktor',
    'Nothing begins like this.': 'Keine Treffer.',
    'End sessions': 'Sitzungen beenden',
    'They are signed out everywhere, and can sign in again.':
      'Die Person wird überall abgemeldet und kann sich wieder anmelden.',
    'Remove second factor': 'Zweiten Faktor entfernen',
    'Their password alone is enough then. Be sure that it is them who ask.':
      'Dann genügt das Passwort allein. Vergewissern Sie sich, dass wirklich diese Person darum bittet.',
    'Lift suspension': 'Sperre aufheben',
    'They can sign in again. What ended with the suspension does not come back.':
      'Die Person kann sich wieder anmelden. Was mit der Sperre endete, kommt nicht zurück.',
    Suspend: 'Sperren',
    'Sessions, tokens and invitations of theirs end. What they own stays.':
      'Sitzungen, Token und Einladungen der Person enden. Was ihr gehört, bleibt.',
    Reason: 'Grund',
    'Only operators see it.': 'Nur Betreiber sehen ihn.',
    'Delete user': 'Benutzer löschen',
    'Workspaces that they have alone go with them. It can’t be undone.':
      'Arbeitsbereiche, in denen sonst niemand ist, werden mitgelöscht. Es lässt sich nicht rückgängig machen.',
    'Last seen {time}': 'Zuletzt gesehen {time}',
    'Not signed in': 'Nicht angemeldet',
    Operator: 'Betreiber',
    Mails: 'E-Mails',
    'All mails have been sent.': 'Alle E-Mails wurden gesendet.',
    failed: 'fehlgeschlagen',
    waiting: 'wartet',
    'Start of a name or email, or an id': 'Anfang von Name, E-Mail, ID',
    suspended: 'gesperrt',
    '{actor} ended your sessions': '{actor} Ihre Sitzungen beendet',
    'Notice: {purpose}': 'Mitteilung: {purpose}',
    '{actor} ended all sessions of {other}': '{actor} alle Sitzungen von {other} beendet',
    '{actor} made {other} an operator': '{actor} {other} zum Betreiber gemacht',
    '{actor} removed {other} from the operators': '{actor} {other} die Rechte als Betreiber entzogen',
    '{actor} suspended {other}': '{actor} {other} gesperrt',
    '{actor} unsuspended {other}': '{actor} {other} entsperrt',
    '{count} mails failed': { one: '{count} E-Mail ist fehlgeschlagen', other: '{count} E-Mails sind fehlgeschlagen' },
    '{count} passkeys': { one: '{count} Passkey', other: '{count} Passkeys' },
    // Single sign-on of a workspace
    'The setup link was used: {what}': 'Der Einrichtungslink wurde genutzt: {what}',
    'Whoever has the setup link of {place} added {domain}.':
      'über den Einrichtungslink wurde {domain} hinzugefügt: {place}.',
    'Whoever has the setup link of {place} verified {domain}.':
      'über den Einrichtungslink wurde {domain} bestätigt: {place}.',
    'Whoever has the setup link of {place} changed its provider.':
      'über den Einrichtungslink wurde der Anbieter geändert: {place}.',
    '{actor} made a link with which a colleague sets up the single sign-on of {place}.':
      '{actor} hat einen Link erstellt, mit dem jemand aus der IT das Single Sign-on einrichtet: {place}.',
    '{actor} withdrew the setup link of {place}.': '{actor} hat den Einrichtungslink zurückgezogen: {place}.',
    'Setup link created': 'Einrichtungslink erstellt',
    'Setup link withdrawn': 'Einrichtungslink zurückgezogen',
    'This link is used up, withdrawn or expired': 'Dieser Link ist verbraucht, zurückgezogen oder abgelaufen',
    'If you have just finished: thank you, the rest is up to the owner. Otherwise, ask them for a new link.':
      'Wenn Sie gerade fertig geworden sind: danke, den Rest erledigt der Inhaber. Bitten Sie ihn sonst um einen neuen Link.',
    'Set up single sign-on': 'Single Sign-\u2060on einrichten',
    'An owner of {name} asks you to show that the domain is theirs and to connect the provider, until {day}.':
      'Ein Inhaber von {name} bittet Sie, bis {day} die Domain nachzuweisen und den Anbieter zu verbinden.',
    'Step 3 is up to the owner.': 'Schritt 3 übernimmt der Inhaber.',
    '{actor} made a setup link for single sign-on': '{actor} einen Einrichtungslink für das Single Sign-on erstellt',
    'The setup link for single sign-on was withdrawn':
      'Der Einrichtungslink für das Single Sign-on wurde zurückgezogen',
    'Your setup link': 'Ihr Einrichtungslink',
    "You won't see this link again. Send it only to the colleague who is to use it.":
      'Sie sehen diesen Link nicht noch einmal. Schicken Sie ihn nur an die Person, die ihn nutzen soll.',
    'Does somebody else manage your DNS or your provider?': 'Verwaltet jemand anders Ihr DNS oder Ihren Anbieter?',
    'A setup link is valid until {day}, or until a domain is verified and the provider is connected.':
      'Ein Einrichtungslink gilt bis {day} oder bis eine Domain bestätigt und der Anbieter verbunden ist.',
    'A setup link lets a colleague without an account do steps 1 and 2. They see nothing else of this workspace, and you get a mail about all that they do.':
      'Mit einem Einrichtungslink erledigt jemand ohne Konto die Schritte 1 und 2. Von diesem Arbeitsbereich ist sonst nichts zu sehen, und Sie erhalten zu allem, was damit geschieht, eine E-Mail.',
    'Make a setup link?': 'Einrichtungslink erstellen?',
    'Make a new one': 'Neuen erstellen',
    'Make a setup link': 'Einrichtungslink erstellen',
    'It is valid for seven days. An earlier link ends.': 'Er gilt sieben Tage. Ein früherer Link wird ungültig.',
    Withdraw: 'Zurückziehen',
    'The provider refused the client ID or the secret': 'Der Anbieter hat die Client-ID oder das Secret abgelehnt',
    'Your provider knows somebody else': 'Bei Ihrem Anbieter ist jemand anders angemeldet',
    'Sign out there and try again.': 'Melden Sie sich dort ab und versuchen Sie es noch einmal.',
    'has no single sign-on': 'hat kein Single Sign-on',
    'Enter a domain, such as example.com.': 'Geben Sie eine Domain ein, zum Beispiel example.com.',
    'An issuer begins with https, and has no “?” or “#” in it.':
      'Die Adresse des Ausstellers beginnt mit https und enthält weder „?“ noch „#“.',
    'No company here uses {domain}.': 'Kein Unternehmen nutzt hier {domain}.',
    'No company here uses this address.': 'Kein Unternehmen nutzt hier diese Adresse.',
    'Hello {name}, this works': 'Hallo {name}, es klappt',
    'Your provider signed you in. You can close this window: the page that you came from knows.':
      'Ihr Anbieter hat Sie angemeldet. Sie können dieses Fenster schließen: Die Seite, von der Sie kamen, weiß Bescheid.',
    'Go on here': 'Hier weitermachen',
    'Your provider': 'Ihr Anbieter',
    'Choose one': 'Bitte wählen',
    'Another one': 'Ein anderer',
    'It looks like {pattern}': 'Er sieht so aus: {pattern}',
    'The address of the provider, or of its openid-configuration.':
      'Die Adresse des Anbieters oder die seiner openid-configuration.',
    'Create an application: {place}': 'Legen Sie eine Anwendung an: {place}',
    'Create a confidential OpenID Connect web application with the authorization code flow.':
      'Legen Sie eine vertrauliche OpenID-Connect-Webanwendung mit dem Authorization Code Flow an.',
    'Paste the redirect address into {place}.': 'Fügen Sie die Rücksprungadresse hier ein: {place}.',
    'Paste the redirect address where it asks for one.':
      'Fügen Sie die Rücksprungadresse dort ein, wo danach gefragt wird.',
    'Set this, too: {place}': 'Stellen Sie außerdem ein: {place}',
    'It asks for the scopes {scopes} with PKCE (S256), and needs the claim {claim} in the answer.':
      'Angefragt werden die Scopes {scopes} mit PKCE (S256). Die Antwort muss den Claim {claim} enthalten.',
    'Copy the client ID and the secret from there to here: {place}':
      'Kopieren Sie Client-ID und Secret von dort hierher: {place}',
    'Copy the client ID and the secret from there to here.': 'Kopieren Sie Client-ID und Secret von dort hierher.',
    Type: 'Typ',
    'Some panels add the domain themselves. To those that do not, give the whole name: {name}':
      'Manche Verwaltungsoberflächen ergänzen die Domain selbst. Wo nicht, geben Sie den ganzen Namen ein: {name}',
    'We look every 30 seconds while this page is open.':
      'Solange diese Seite offen ist, sehen wir alle 30 Sekunden nach.',
    'No record is there yet. It can take an hour. Last look: {time}.':
      'Noch ist kein Eintrag da. Das kann eine Stunde dauern. Zuletzt nachgesehen: {time}.',
    'Another value is there: {value}': 'Dort steht ein anderer Wert: {value}',
    'Step 2 of 3: connect your provider': 'Schritt 2 von 3: Verbinden Sie Ihren Anbieter',
    'It happened {count} times in a row.': {
      one: 'Das ist {count}-mal in Folge passiert.',
      other: 'Das ist {count}-mal in Folge passiert.',
    },
    'Step 1 of 3: show that {domain} is yours': 'Schritt 1 von 3: Zeigen Sie, dass {domain} Ihnen gehört',
    'Step 1 of 3: show that a domain is yours': 'Schritt 1 von 3: Zeigen Sie, dass eine Domain Ihnen gehört',
    'Add this record where the domain is managed:': 'Legen Sie diesen Eintrag dort an, wo die Domain verwaltet wird:',
    'Another domain': 'Weitere Domain',
    'Check now': 'Jetzt prüfen',
    'Step 3 of 3: try it, then require it': 'Schritt 3 von 3: Erst ausprobieren, dann vorschreiben',
    'It works.': 'Es klappt.',
    'Connect your provider first.': 'Verbinden Sie zuerst Ihren Anbieter.',
    'You signed in with it: it works.': 'Sie haben sich damit angemeldet: Es klappt.',
    "You haven't signed in with it yet. A new window asks your provider, and comes back.":
      'Sie haben sich damit noch nicht angemeldet. Ein neues Fenster fragt Ihren Anbieter und kommt zurück.',
    'Try it again': 'Noch einmal ausprobieren',
    'Try it in a new window': 'In einem neuen Fenster ausprobieren',
    'Sign in with it first': 'Zuerst damit anmelden',
    'Everybody has signed in with it.': 'Alle haben sich damit angemeldet.',
    'Nobody has signed in with it yet. Everybody is asked to at their next visit.':
      'Noch niemand hat sich damit angemeldet. Alle werden beim nächsten Besuch darum gebeten.',
    'Somebody else changed it meanwhile. Try again':
      'Inzwischen hat das jemand anders geändert. Bitte versuchen Sie es noch einmal',
    'is not an OpenID provider': 'ist kein OpenID-Anbieter',
    "can't be reached": 'ist nicht erreichbar',
    'has already been added': 'wurde bereits hinzugefügt',
    'You have {max} domains already': 'Sie haben bereits {max} Domains',
    "DNS can't be reached. Try again later": 'Das DNS ist nicht erreichbar. Bitte versuchen Sie es später noch einmal',
    '{domain} belongs to another workspace': '{domain} gehört zu einem anderen Arbeitsbereich',
    "The record isn't there yet. It can take an hour": 'Der Eintrag ist noch nicht da. Das kann eine Stunde dauern',
    "{address} doesn't belong to {name}": '{address} gehört nicht zu {name}',
    'Your provider vouches for no address': 'Ihr Anbieter übermittelt keine E-Mail-Adresse',
    'You were removed from {name}. Ask an owner to invite you':
      'Sie wurden aus {name} entfernt. Bitten Sie einen Inhaber um eine Einladung',
    "Your address here isn't at a domain of {name}": 'Ihre Adresse hier gehört zu keiner Domain von {name}',
    '{address} is connected to another person there': '{address} ist dort mit einer anderen Person verbunden',
    '{domain} is not verified any more': '{domain} ist nicht mehr bestätigt',
    'Single sign-on is disconnected': 'Single Sign-on ist getrennt',
    'Single sign-on was connected': 'Single Sign-on wurde verbunden',
    'From now on, the single sign-on of {place} signs you in to {appName}.':
      'ab jetzt meldet das Single Sign-on von {place} Sie bei {appName} an.',
    'Single sign-on was disconnected': 'Single Sign-on wurde getrennt',
    'The single sign-on of {place} no longer signs you in to {appName}.':
      'das Single Sign-on von {place} meldet Sie nicht mehr bei {appName} an.',
    '{domain} is no longer verified': '{domain} ist nicht mehr bestätigt',
    'A domain is no longer verified': 'Eine Domain ist nicht mehr bestätigt',
    'The record that proves the domain is gone.': 'Der Eintrag, der die Domain nachweist, ist weg.',
    "We looked for the record that proves {domain} for {place} on three days in a row, and it was not there. People with an address there can't use your single sign-on any more.":
      'wir haben den Eintrag, der {domain} für {place} nachweist, an drei Tagen in Folge gesucht und nicht gefunden. Wer dort eine Adresse hat, kann Ihr Single Sign-on nicht mehr nutzen.',
    '{domain} is no longer yours': '{domain} gehört Ihnen nicht mehr',
    'A domain is no longer yours': 'Eine Domain gehört Ihnen nicht mehr',
    'Another workspace has proved that the domain belongs to it.':
      'Ein anderer Arbeitsbereich hat nachgewiesen, dass ihm die Domain gehört.',
    "The record that proved {domain} for {place} is gone, and another workspace has proved the domain. People with an address there can't use your single sign-on any more.":
      'der Eintrag, der {domain} für {place} nachwies, ist weg, und ein anderer Arbeitsbereich hat die Domain nachgewiesen. Wer dort eine Adresse hat, kann Ihr Single Sign-on nicht mehr nutzen.',
    'If the domain is still yours, add the record again and verify it.':
      'Gehört die Domain noch Ihnen, fügen Sie den Eintrag wieder hinzu und bestätigen Sie sie.',
    'See single sign-on': 'Single Sign-on ansehen',
    'Single sign-on of {place} was changed': 'Single Sign-on wurde geändert: {place}',
    'Single sign-on was changed': 'Single Sign-on wurde geändert',
    'Check that this is right.': 'Prüfen Sie, ob das stimmt.',
    'If this is not right, ask whoever did it, and see who owns the workspace.':
      'Wenn das nicht stimmt, fragen Sie die Person, die es getan hat, und sehen Sie nach, wem der Arbeitsbereich gehört.',
    '{name} took back a former email address. The domains and the provider that were added to {place} in their name since then are removed: it may have been somebody else.':
      '{name} hat eine frühere E-Mail-Adresse zurückgenommen. Die Domains und der Anbieter, die seitdem in diesem Namen hinzugefügt wurden, sind entfernt ({place}): Es kann jemand anders gewesen sein.',
    'What others set up stays, and so does the requirement.':
      'Was andere eingerichtet haben, bleibt, und die Pflicht auch.',
    '{actor} verified {domain} for {place}.': '{actor} hat {domain} bestätigt: {place}.',
    '{actor} removed {domain} from {place}.': '{actor} hat {domain} entfernt: {place}.',
    '{actor} changed the provider of {place}.': '{actor} hat den Anbieter geändert: {place}.',
    '{actor} removed the provider of {place}.': '{actor} hat den Anbieter entfernt: {place}.',
    '{actor} requires single sign-on in {place} now.': '{actor} schreibt jetzt Single Sign-on vor: {place}.',
    '{actor} no longer requires single sign-on in {place}.': '{actor} schreibt Single Sign-on nicht mehr vor: {place}.',
    'Stop requiring single sign-on': 'Single Sign-on nicht mehr vorschreiben',
    'Stop requiring single sign-on first': 'Schreiben Sie zuerst Single Sign-on nicht mehr vor',
    'Sign in with it yourself first': 'Melden Sie sich zuerst selbst damit an',
    'Sign in as {address} once to connect it': 'Melden Sie sich einmal als {address} an, um es zu verbinden',
    'There is no single sign-on': 'Es gibt kein Single Sign-on',
    'You cancelled single sign-on': 'Sie haben das Single Sign-on abgebrochen',
    "Your provider can't be reached. Try again later":
      'Ihr Anbieter ist nicht erreichbar. Bitte versuchen Sie es später noch einmal',
    "Single sign-on didn't work. Try again":
      'Das Single Sign-on hat nicht geklappt. Bitte versuchen Sie es noch einmal',
    'Single sign-on saved': 'Single Sign-on gespeichert',
    'Single sign-on removed': 'Single Sign-on entfernt',
    'Single sign-on is now required': 'Single Sign-on ist jetzt vorgeschrieben',
    'Single sign-on is no longer required': 'Single Sign-on ist nicht mehr vorgeschrieben',
    '{domain} was added': '{domain} wurde hinzugefügt',
    '{domain} is verified': '{domain} ist bestätigt',
    '{domain} was removed': '{domain} wurde entfernt',
    Copied: 'Kopiert',
    'Without single sign-on': 'Ohne Single Sign-on',
    'Redirect address': 'Rücksprungadresse',
    'Address for a tile at your provider': 'Adresse für die Kachel im Portal',
    Change: 'Ändern',
    'Remove the provider?': 'Anbieter entfernen?',
    'Sessions that began with it end. People who have no password can set one by mail.':
      'Sitzungen, die damit begonnen haben, enden. Wer kein Passwort hat, kann per E-Mail eines festlegen.',
    Issuer: 'Aussteller (Issuer)',
    'Client ID': 'Client-ID',
    'Client secret': 'Client-Secret',
    'Leave empty to keep the current one.': 'Leer lassen, um das jetzige zu behalten.',
    'Save provider': 'Anbieter speichern',
    'Last used {time}.': 'Zuletzt genutzt {time}.',
    'Last failure {time}: {reason}': 'Letzter Fehler {time}: {reason}',
    "The client secret can't be read, since the server's key has changed. Enter it again.":
      'Das Client-Secret lässt sich nicht lesen, weil sich der Schlüssel des Servers geändert hat. Geben Sie es noch einmal ein.',
    "The provider couldn't be reached, or took too long.": 'Der Anbieter war nicht erreichbar oder brauchte zu lange.',
    'The provider took too long to answer.': 'Der Anbieter hat zu lange für eine Antwort gebraucht.',
    'The provider refused the connection.': 'Der Anbieter hat die Verbindung abgelehnt.',
    "The provider's certificate isn't valid.": 'Das Zertifikat des Anbieters ist nicht gültig.',
    'The provider has a fault of its own: it answered {status}.':
      'Der Anbieter hat selbst einen Fehler: Er hat mit {status} geantwortet.',
    'Somebody cancelled at the provider.': 'Jemand hat beim Anbieter abgebrochen.',
    'The provider sent no verified address. It must send the claim “email”.':
      'Der Anbieter hat keine bestätigte Adresse gesendet. Er muss den Claim „email“ senden.',
    'Somebody’s address was at none of your verified domains.':
      'Eine Adresse gehörte zu keiner Ihrer bestätigten Domains.',
    'The record of your domain is gone. Add it again.': 'Der Eintrag Ihrer Domain ist weg. Fügen Sie ihn wieder hinzu.',
    'The provider refused the client ID or the secret.': 'Der Anbieter hat Client-ID oder Secret abgelehnt.',
    'Somebody came back as another person than the one who was signed in.':
      'Jemand kam vom Anbieter als andere Person zurück, als hier angemeldet war.',
    'The provider knows somebody’s address as another person than before.':
      'Der Anbieter ordnet eine Adresse jetzt einer anderen Person zu als zuvor.',
    'The answer of the provider was refused ({reason}).': 'Die Antwort des Anbieters wurde abgelehnt ({reason}).',
    'Whoever has an address at a verified domain can sign in with your provider. A record in the DNS proves it.':
      'Wer eine Adresse bei einer bestätigten Domain hat, kann sich mit Ihrem Anbieter anmelden. Ein Eintrag im DNS weist sie nach.',
    Domain: 'Domain',
    'Add domain': 'Domain hinzufügen',
    'Verified {day}. Keep the record.': 'Bestätigt {day}. Lassen Sie den Eintrag stehen.',
    Value: 'Wert',
    'Remove {domain}': '{domain} entfernen',
    'Remove {domain}?': '{domain} entfernen?',
    'People with an address there can no longer use your single sign-on.':
      'Wer dort eine Adresse hat, kann Ihr Single Sign-on nicht mehr nutzen.',
    'Require single sign-on': 'Single Sign-on vorschreiben',
    'Members get in only after your provider signed them in. Owners also get in with two factors, and members whose address is at none of your domains as before.':
      'Mitglieder kommen nur hinein, wenn Ihr Anbieter sie angemeldet hat. Inhaber kommen auch mit zwei Faktoren hinein. Mitglieder mit einer Adresse außerhalb Ihrer Domains melden sich an wie bisher.',
    'Let members in only after your provider signed them in. Until then it is one more way to sign in.':
      'Lassen Sie Mitglieder nur noch hinein, wenn Ihr Anbieter sie angemeldet hat. Bis dahin ist es ein weiterer Anmeldeweg.',
    'Stop requiring single sign-on in {name}?': 'Single Sign-on in {name} nicht mehr vorschreiben?',
    'From then on, members get in again however they signed in.':
      'Danach kommen Mitglieder wieder auf jedem Anmeldeweg hinein.',
    'Require single sign-on in {name}?': 'Single Sign-on in {name} vorschreiben?',
    'Checking who has used it…': 'Es wird geprüft, wer es schon verwendet hat\u00a0…',
    '{count} of {members} have signed in with it. The others are asked to at their next visit.': {
      one: '{count} von {members} hat sich damit angemeldet. Die anderen werden beim nächsten Besuch dazu aufgefordert.',
      other:
        '{count} von {members} haben sich damit angemeldet. Die anderen werden beim nächsten Besuch dazu aufgefordert.',
    },
    '{count} people have an address at another domain, and get in as before.': {
      one: '{count} Person hat eine Adresse bei einer anderen Domain und meldet sich an wie bisher.',
      other: '{count} Personen haben eine Adresse bei einer anderen Domain und melden sich an wie bisher.',
    },
    'People of your company get into {name} with the provider that they use at work.':
      'Ihr Team meldet sich bei {name} mit seinem Arbeitskonto an.',
    'Sign in with your company': 'Über Ihr Unternehmen anmelden',
    '{workspace} asks you to sign in with its provider. You come back to the page that you wanted.':
      '{workspace} verlangt die Anmeldung bei seinem Anbieter. Danach kommen Sie zu der Seite zurück, die Sie öffnen wollten.',
    'Continue to the provider of {workspace}, which signs you in.':
      'Weiter zum Anbieter von {workspace}, der Sie anmeldet.',
    'Continue with single sign-on': 'Weiter mit Single Sign-on',
    'Nobody can prove {domain}': 'Niemand kann {domain} nachweisen',
    '{workspace} asks for single sign-on, but has no provider. Ask an owner to connect one.':
      '{workspace} verlangt Single Sign-on, hat aber keinen Anbieter. Bitten Sie einen Inhaber, einen zu verbinden.',
    'You own this workspace: your second factor is new, and lets you in from {time} on.':
      'Dieser Arbeitsbereich gehört Ihnen: Ihr zweiter Faktor ist neu und lässt Sie ab {time} hinein.',
    'You own this workspace: use your second factor instead':
      'Der Arbeitsbereich gehört Ihnen: stattdessen den zweiten Faktor nutzen',
    'Sign in another way': 'Anders anmelden',
    "Your work address tells us which provider signs you in. You don't need a password here.":
      'An Ihrer Arbeitsadresse erkennen wir, welcher Anbieter Sie anmeldet. Ein Passwort brauchen Sie hier nicht.',
    'The provider of these workspaces signs you in. They decide who you are there.':
      'Der Anbieter dieser Arbeitsbereiche meldet Sie an und bestimmt, als wen.',
    'It can no longer sign you in. Where a workspace requires it, you stay outside until you connect it again.':
      'Damit können Sie sich dann nicht mehr anmelden. Arbeitsbereiche, die es vorschreiben, öffnen sich erst wieder, wenn Sie es neu verbinden.',
    '{actor} connected the single sign-on of {account}': '{actor} das Single Sign-on von {account} verbunden',
    '{actor} disconnected the single sign-on of {account}': '{actor} das Single Sign-on von {account} getrennt',
    '{actor} added the domain {domain}': '{actor} die Domain {domain} hinzugefügt',
    '{actor} verified the domain {domain}': '{actor} die Domain {domain} bestätigt',
    'The domain {domain} is no longer verified: its record was gone for three days':
      'Die Domain {domain} ist nicht mehr bestätigt: Ihr Eintrag fehlte drei Tage lang',
    'Another workspace proved the domain {domain}, whose record was gone here':
      'Ein anderer Arbeitsbereich hat die Domain {domain} nachgewiesen, deren Eintrag hier fehlte',
    '{actor} removed the domain {domain}': '{actor} die Domain {domain} entfernt',
    '{actor} saved the provider of single sign-on': '{actor} den Anbieter des Single Sign-on gespeichert',
    '{actor} removed single sign-on': '{actor} das Single Sign-on entfernt',
    '{actor} required single sign-on': '{actor} Single Sign-on vorgeschrieben',
    '{actor} stopped requiring single sign-on': '{actor} die Pflicht zum Single Sign-on aufgehoben',
    'You joined {account} as {role} with single sign-on':
      'Sie sind {account} über Single Sign-on als {role} beigetreten',
    '{name} joined as {role} with single sign-on': '{name} ist über Single Sign-on als {role} beigetreten',
    'Review your security settings': 'Sicherheitseinstellungen prüfen',
    // Webhooks
    'If this is not right, ask whoever did it, and remove the webhook.':
      'Wenn das nicht stimmt, fragen Sie nach, wer es war, und entfernen Sie den Webhook.',
    'A webhook was added to {place}': 'Ein Webhook wurde zu {place} hinzugefügt',
    '{actor} added a webhook to {place}. What happens there is sent to {host}.':
      '{actor} hat einen Webhook zu {place} hinzugefügt. Was dort geschieht, wird an {host} gesendet.',
    'A webhook of {place} was changed': 'Ein Webhook von {place} wurde geändert',
    '{actor} changed a webhook of {place}. What happens there is sent to {host} now.':
      '{actor} hat einen Webhook von {place} geändert. Was dort geschieht, wird jetzt an {host} gesendet.',
    '{actor} rolled the secret of the webhook that sends what happens in {place} to {host}.':
      '{actor} hat den geheimen Schlüssel des Webhooks erneuert, der an {host} sendet, was in {place} geschieht.',
    'A webhook of {place} was removed': 'Ein Webhook von {place} wurde entfernt',
    '{actor} removed a webhook of {place}. What happens there is no longer sent to {host}.':
      '{actor} hat einen Webhook von {place} entfernt. Was dort geschieht, wird nicht mehr an {host} gesendet.',
    'If this is not right, ask whoever did it, and add the webhook again.':
      'Wenn das nicht stimmt, fragen Sie nach, wer es war, und fügen Sie den Webhook wieder hinzu.',
    'A webhook stopped': 'Ein Webhook wurde angehalten',
    'What happens in the workspace is no longer sent.': 'Was im Arbeitsbereich geschieht, wird nicht mehr gesendet.',
    'The webhook of {place} that sends to {host} is disabled: its receiver refuses what we send, or whoever added it may not have been the owner of their account.':
      'der Webhook von {place}, der an {host} sendet, ist deaktiviert: Sein Empfänger lehnt ab, was wir senden, oder das Konto, mit dem er hinzugefügt wurde, war vielleicht in fremden Händen.',
    'Look where it leads. If all is well there, enable it. What it missed is not sent.':
      'Sehen Sie nach, wohin er führt. Wenn dort alles stimmt, aktivieren Sie ihn. Was er verpasst hat, wird nicht gesendet.',
    'See the webhooks': 'Webhooks ansehen',
    'a deleted user': 'ein gelöschter Benutzer',
    'A webhook that {name} added still sends': 'Ein Webhook, den {name} hinzugefügt hat, sendet weiter',
    'Look where it leads, and remove it if nobody needs it.':
      'Sehen Sie nach, wohin er führt, und entfernen Sie ihn, wenn ihn niemand braucht.',
    '{name} manages {place} no longer. A webhook that they added, or gave its address, goes on.':
      '{name} verwaltet {place} nicht mehr. Ein Webhook, der oder dessen Adresse von dieser Person stammt, sendet weiter.',
    'Webhook added': 'Webhook hinzugefügt',
    'Webhook saved': 'Webhook gespeichert',
    'Webhook removed': 'Webhook entfernt',
    'Secret rolled': 'Geheimer Schlüssel erneuert',
    'Webhook enabled': 'Webhook aktiviert',
    'A test was sent': 'Ein Test wurde gesendet',
    'Sent again': 'Erneut gesendet',
    'The workspace was created': 'Der Arbeitsbereich wurde erstellt',
    'The workspace was renamed': 'Der Arbeitsbereich wurde umbenannt',
    'Somebody was invited': 'Jemand wurde eingeladen',
    'An invitation was revoked': 'Eine Einladung wurde widerrufen',
    'An invitation was declined': 'Eine Einladung wurde abgelehnt',
    'Somebody joined': 'Jemand ist beigetreten',
    'A role was changed': 'Eine Rolle wurde geändert',
    'A member was removed': 'Ein Mitglied wurde entfernt',
    'A member left': 'Ein Mitglied ist ausgetreten',
    'A webhook was added': 'Ein Webhook wurde hinzugefügt',
    'A webhook was changed': 'Ein Webhook wurde geändert',
    'A webhook was removed': 'Ein Webhook wurde entfernt',
    'The secret of a webhook was rolled': 'Der geheime Schlüssel eines Webhooks wurde erneuert',
    'A webhook was enabled': 'Ein Webhook wurde aktiviert',
    'A webhook was disabled': 'Ein Webhook wurde deaktiviert',
    'This workspace has {max} webhooks already': 'Dieser Arbeitsbereich hat bereits {max} Webhooks',
    'Enable the webhook first': 'Aktivieren Sie zuerst den Webhook',
    "That can't be sent again": 'Das kann nicht erneut gesendet werden',
    Webhook: 'Webhook',
    'What to send': 'Was gesendet wird',
    'A change counts for what happens from now on.': 'Änderungen gelten für alles, was ab jetzt geschieht.',
    'Send a test': 'Test senden',
    'Change the URL': 'URL ändern',
    'The secret stays the same.': 'Der geheime Schlüssel bleibt derselbe.',
    'Change the URL…': 'URL ändern\u00a0…',
    'Roll the secret?': 'Den geheimen Schlüssel erneuern?',
    'Roll the secret…': 'Geheimen Schlüssel erneuern\u00a0…',
    'You get a new secret. The old one signs beside it for 24 hours, so that your receiver has time.':
      'Sie erhalten einen neuen geheimen Schlüssel. Der alte signiert 24 Stunden lang weiter, damit Ihr Empfänger Zeit hat.',
    'Remove the webhook': 'Webhook entfernen',
    'Nothing more is sent there, and its deliveries are forgotten.':
      'Dorthin wird nichts mehr gesendet, und die Liste seiner Zustellungen wird gelöscht.',
    'Remove…': 'Entfernen\u00a0…',
    'Remove the webhook?': 'Den Webhook entfernen?',
    'The webhook is disabled': 'Der Webhook ist deaktiviert',
    'Nothing is sent since {time}. What it missed is not sent later.':
      'Seit {time} wird nichts gesendet. Was er verpasst hat, wird nicht nachgeholt.',
    Enable: 'Aktivieren',
    'It fails since {time}. After five days of failures it is disabled.':
      'Zustellungen schlagen fehl: {time} zum ersten Mal. Nach fünf Tagen mit Fehlern wird der Webhook deaktiviert.',
    Webhooks: 'Webhooks',
    'What happens in {name} is sent to programs of yours, at once and signed.':
      'Was in {name} geschieht, wird sofort und signiert an Ihre Programme gesendet.',
    'There are no webhooks yet.': 'Es gibt noch keine Webhooks.',
    Everything: 'Alles',
    'added {day} by {name}': 'hinzugefügt am {day} · {name}',
    'disabled since {time}': 'deaktiviert: {time}',
    'failing since {time}': 'erster Fehler: {time}',
    'Add a webhook': 'Webhook hinzufügen',
    'You get a secret with which your receiver verifies what arrives.':
      'Sie erhalten einen geheimen Schlüssel, mit dem Ihr Empfänger prüft, was ankommt.',
    '{count} types': { one: '{count} Art', other: '{count} Arten' },
    Test: 'Test',
    Deliveries: 'Zustellungen',
    'Nothing was sent yet.': 'Es wurde noch nichts gesendet.',
    'Those of the last 30 days.': 'Aus den letzten 30 Tagen.',
    'Delivered: the receiver answered {status}.': 'Zugestellt: Der Empfänger hat mit {status} geantwortet.',
    'It was not sent: the webhook was disabled, or the activity is gone.':
      'Nicht gesendet: Der Webhook war deaktiviert, oder die Aktivität gibt es nicht mehr.',
    '{reason} It is tried again.': '{reason} Es wird noch einmal versucht.',
    'It is about to be sent.': 'Wird gleich gesendet.',
    'The receiver did not answer within 15 seconds.': 'Der Empfänger hat nicht innerhalb von 15 Sekunden geantwortet.',
    "The secret can't be read, since the server's key has changed. Roll it.":
      'Der geheime Schlüssel ist nicht lesbar, weil sich der Schlüssel des Servers geändert hat. Erneuern Sie ihn.',
    "The receiver can't be reached: look at its name, its certificate and its firewall.":
      'Der Empfänger ist nicht erreichbar: Prüfen Sie Namen, Zertifikat und Firewall.',
    'The receiver answered 410: it wants nothing more, so the webhook is disabled.':
      'Der Empfänger hat mit 410 geantwortet: Er möchte nichts mehr, deshalb ist der Webhook deaktiviert.',
    'The receiver answered {status}, a redirect, which is not followed. Enter the URL it leads to.':
      'Der Empfänger hat mit {status} geantwortet, einer Weiterleitung, der wir nicht folgen. Geben Sie die URL ein, zu der sie führt.',
    'The receiver answered {status}. Only 200 to 299 count as delivered.':
      'Der Empfänger hat mit {status} geantwortet. Nur 200 bis 299 gelten als zugestellt.',
    '{count} tries': { one: '{count} Versuch', other: '{count} Versuche' },
    '{actor} added a webhook to {host}': '{actor} einen Webhook zu {host} hinzugefügt',
    '{actor} changed the webhook to {host}': '{actor} den Webhook zu {host} geändert',
    '{actor} removed the webhook to {host}': '{actor} den Webhook zu {host} entfernt',
    '{actor} rolled the secret of the webhook to {host}':
      '{actor} den geheimen Schlüssel des Webhooks zu {host} erneuert',
    '{actor} enabled the webhook to {host}': '{actor} den Webhook zu {host} aktiviert',
    'The webhook to {host} was disabled': 'Der Webhook zu {host} wurde deaktiviert',
    'The secret of your webhook': 'Der geheime Schlüssel Ihres Webhooks',
    'The secret is copied.': 'Der geheime Schlüssel ist kopiert.',
    "You won't see this secret again. Keep it where only your receiver can read it: it tells our messages from others.":
      'Sie sehen diesen geheimen Schlüssel nicht noch einmal. Bewahren Sie ihn dort auf, wo nur Ihr Empfänger ihn lesen kann: Daran erkennt er unsere Nachrichten.',
    'How to verify what arrives': 'So prüfen Sie, was ankommt',
    'Each message is signed as Standard Webhooks 1.0 says, so that libraries for many languages verify it.':
      'Jede Nachricht ist nach Standard Webhooks 1.0 signiert. Bibliotheken für viele Sprachen können sie prüfen.',
    'With Node.js': 'Mit Node.js',
    'Send a signed message yourself, with curl and openssl':
      'Selbst eine signierte Nachricht senden, mit curl und openssl',
    URL: 'URL',
    'We send each activity there as it happens. It must begin with https.':
      'Dorthin senden wir jede Aktivität, sobald sie geschieht. Sie muss mit https beginnen.',
    'Everything, also what later versions add': 'Alles, auch was spätere Versionen hinzufügen',
    'An example of its body': 'Ein Beispiel des Inhalts',
    // Tokens of workspaces
    'Look at the tokens of the workspace, and revoke those that nobody needs.':
      'Sehen Sie die Token des Arbeitsbereichs durch und widerrufen Sie die, die niemand braucht.',
    'See the tokens': 'Token ansehen',
    '{actor} rolled a token of {place}: a new one takes its place.':
      '{actor} hat ein Token von {place} erneuert: Ein neues tritt an seine Stelle.',
    '{actor} created a token of {place}. Programs with it act as the workspace.':
      '{actor} hat ein Token von {place} erstellt. Programme handeln damit als der Arbeitsbereich.',
    'A token of {place} was created': 'Ein Token von {place} wurde erstellt',
    'If this is not right, ask whoever did it, and revoke the token.':
      'Wenn das nicht stimmt, fragen Sie nach, wer es war, und widerrufen Sie das Token.',
    '{actor} revoked a token of {place}. Programs with it have lost access.':
      '{actor} hat ein Token von {place} widerrufen. Programme damit haben keinen Zugriff mehr.',
    'A token of {place} was revoked, and programs with it have lost access: whoever made it may not have been the owner of their account.':
      'ein Token von {place} wurde widerrufen, und Programme damit haben keinen Zugriff mehr: Wer es erstellt hat, hatte vielleicht ein Konto in fremden Händen.',
    'A token of {place} was revoked': 'Ein Token von {place} wurde widerrufen',
    'If a program still needs one, create a new token.':
      'Wenn ein Programm noch eines braucht, erstellen Sie ein neues Token.',
    '{name} manages {place} no longer. A token that they made goes on, but invites, removes and promotes nobody until a manager rolls it.':
      '{name} verwaltet {place} nicht mehr. Ein Token, das von dieser Person stammt, gilt weiter, lädt aber niemanden ein, entfernt niemanden und ändert keine Rollen, bis ein Inhaber oder Admin es erneuert.',
    'A token that {name} made still works': 'Ein Token, das {name} erstellt hat, funktioniert weiter',
    '{name} is suspended, so programs with a token of {place} that they made are kept out, until a manager rolls it.':
      '{name} ist gesperrt. Programme mit einem Token von {place}, das von dieser Person stammt, haben deshalb keinen Zugriff, bis ein Inhaber oder Admin es erneuert.',
    'A token that {name} made is blocked': 'Ein Token, das {name} erstellt hat, ist gesperrt',
    'Programs that use it are kept out.': 'Programme, die es verwenden, haben keinen Zugriff.',
    'If you trust these programs, roll the token and give them the new one.':
      'Wenn Sie diesen Programmen trauen, erneuern Sie das Token und geben Sie ihnen das neue.',
    'After that, programs with this token can no longer act as {place}.':
      'danach können Programme mit diesem Token nicht mehr als {place} handeln.',
    'A token of {place} expires soon': 'Ein Token von {place} läuft bald ab',
    'This workspace has {max} tokens already': 'Dieser Arbeitsbereich hat bereits {max} Token',
    'With a token, a program acts as {name}, and goes on when whoever made it leaves. Treat it like a password.':
      'Mit einem Token handelt ein Programm im Namen von {name}, auch wenn die Person geht, die es erstellt hat. Behandeln Sie es wie ein Passwort.',
    'Tokens of this workspace': 'Token dieses Arbeitsbereichs',
    'There are no tokens yet.': 'Es gibt noch keine Token.',
    'made by {name}': 'erstellt: {name}',
    'Blocked: whoever made it is suspended, or was not let in as the workspace requires. Roll it to go on.':
      'Gesperrt: Wer es erstellt hat, ist gesperrt oder erfüllt nicht, was der Arbeitsbereich vorschreibt. Erneuern Sie es, damit es weitergeht.',
    'Invites and removes nobody: whoever made it manages this workspace no longer. Roll it to go on.':
      'Lädt niemanden ein und entfernt niemanden: Wer es erstellt hat, verwaltet diesen Arbeitsbereich nicht mehr. Erneuern Sie es, damit es weitergeht.',
    '{actor} rolled the token {token}': '{actor} das Token {token} erneuert',
  },
} satisfies Language
