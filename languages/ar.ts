import type { Language } from '../plugins/languages/index.ts'

export default {
  name: 'العربية',
  dir: 'rtl',
  words: {
    '{device}, {day}': '{device}، {day}',
    '{actor} {what}': '{actor} {what}',
    Notifications: 'الإشعارات',
    // Workspaces: messages
    "can't be blank": 'هذا الحقل مطلوب',
    'is too long (maximum is {max} characters)': 'الحد الأقصى {max} حرفًا',
    'is invalid': 'قيمة غير صالحة',
    'you have {max} workspaces already': 'لديك {max} مساحة عمل بالفعل',
    'has already been invited': 'سبق إرسال دعوة',
    'too many invitations are open': 'عدد الدعوات المعلّقة كبير جدًا',
    'is not included in the list': 'قيمة غير مدرجة في القائمة',
    "can't be invited again today": 'لا يمكن إرسال دعوة أخرى اليوم',
    'You are in {max} workspaces already': 'لديك عضوية في {max} مساحة عمل بالفعل',
    'This invitation has expired': 'انتهت صلاحية هذه الدعوة',
    'This invitation is for {email}': 'هذه الدعوة موجّهة إلى {email}',
    'Open the link that we sent to {email}': 'يلزم فتح الرابط الذي أرسلناه إلى {email}',
    'is already a member': 'عضو بالفعل',
    'Role is not included in the list': 'الدور: قيمة غير مدرجة في القائمة',
    'A workspace needs at least one owner': 'يجب أن يكون لمساحة العمل مالك واحد على الأقل',
    '{accountName} requires two-factor authentication': 'المصادقة الثنائية إلزامية في {accountName}',
    'needs a second factor of your own': 'يلزم أولًا إعداد العامل الثاني لحسابك',
    'Settings saved': 'تم حفظ الإعدادات',
    'Workspace deleted': 'تم حذف مساحة العمل',
    'Two-factor authentication is now required': 'أصبحت المصادقة الثنائية إلزامية',
    'Two-factor authentication is no longer required': 'لم تعد المصادقة الثنائية إلزامية',
    'Invitation sent to {email}': 'تم إرسال دعوة إلى {email}',
    'Invitation revoked': 'تم سحب الدعوة',
    'Role updated': 'تم تحديث الدور',
    'You left {name}': 'تمت مغادرة {name}',
    'Member removed': 'تمت إزالة العضو',
    'Workspace created': 'تم إنشاء مساحة العمل',
    'Welcome to {name}': 'مرحبًا بك في {name}',
    'Invitation declined': 'تم رفض الدعوة',
    // Sign-in and sign-up: messages
    'Signed in successfully': 'تم تسجيل الدخول بنجاح',
    'is too short (minimum is {min} characters)': 'الحد الأدنى {min} حرفًا',
    'is too long': 'طويلة جدًا',
    'is too common': 'كلمة مرور شائعة جدًا',
    "doesn't match Password": 'غير مطابق لكلمة المرور',
    'Please sign in again': 'يُرجى تسجيل الدخول مجددًا',
    'You are already signed in': 'تم تسجيل دخولك بالفعل',
    'That session has been logged out': 'تم إنهاء تلك الجلسة',
    'All other sessions have been ended': 'تم إنهاء جميع الجلسات الأخرى',
    'That email or password is incorrect': 'البريد الإلكتروني أو كلمة المرور غير صحيحة',
    'Welcome! You have signed up successfully': 'مرحبًا بك. تم إنشاء الحساب بنجاح',
    '{appName} is invitation only. Ask an admin to invite you':
      'الانضمام إلى {appName} بالدعوة فقط. يُرجى طلب دعوة من أحد المشرفين',
    'must be {email}, the address invited': 'يجب استخدام العنوان المدعو {email}',
    'has already been taken': 'مستخدم بالفعل',
    'Verify your email first': 'يلزم تأكيد البريد الإلكتروني أولًا',
    'Thank you for verifying your email address': 'شكرًا على تأكيد عنوان البريد الإلكتروني',
    'That email verification link is invalid': 'رابط تأكيد البريد الإلكتروني غير صالح',
    'We sent a verification email to your email address': 'أرسلنا رسالة تأكيد إلى عنوان بريدك الإلكتروني',
    'The account has been removed': 'تمت إزالة الحساب',
    'That link is invalid': 'هذا الرابط غير صالح',
    "If that email belongs to a verified account, we've sent reset instructions to it":
      'إذا كان هذا العنوان مرتبطًا بحساب مؤكَّد، فقد أرسلنا إليه تعليمات إعادة تعيين كلمة المرور',
    'Your password was reset successfully. Please sign in': 'تمت إعادة تعيين كلمة المرور بنجاح. يُرجى تسجيل الدخول',
    'That password reset link is invalid': 'رابط إعادة تعيين كلمة المرور غير صالح',
    // Passkeys, pictures and connected accounts: messages
    'You have 20 passkeys already': 'لديك 20 مفتاح مرور بالفعل',
    'Passkey added': 'تمت إضافة مفتاح المرور',
    'Passkey renamed': 'تمت إعادة تسمية مفتاح المرور',
    'Passkey removed': 'تمت إزالة مفتاح المرور',
    "That passkey didn't work. Try again": 'تعذّر استخدام مفتاح المرور. يُرجى المحاولة مجددًا',
    'is too large (maximum is 8 MB)': 'حجم كبير جدًا (الحد الأقصى 8 ميغابايت)',
    'is not a picture we can read': 'تعذّرت قراءة هذه الصورة',
    'has too many pixels': 'عدد وحدات البكسل كبير جدًا',
    'Picture updated': 'تم تحديث الصورة',
    'Picture removed': 'تمت إزالة الصورة',
    'Your picture has been updated': 'تم تحديث صورتك',
    'Your picture has been removed': 'تمت إزالة صورتك',
    'The demo user connects nothing': 'لا يمكن ربط أي حساب بالمستخدم التجريبي',
    "You can't connect accounts to the demo user.": 'لا يمكن ربط أي حساب بالمستخدم التجريبي.',
    "{name} can't be reached. Try again later": 'تعذّر الوصول إلى {name}. يُرجى المحاولة لاحقًا',
    "{name} didn't work. Try again": 'تعذّر إتمام العملية عبر {name}. يُرجى المحاولة مجددًا',
    '{name} is disconnected': 'تم فصل حساب {name}',
    'You cancelled {name}': 'تم إلغاء العملية عبر {name}',
    'That {name} account is connected to somebody else': 'حساب {name} هذا مرتبط بمستخدم آخر',
    'You have 10 connected accounts already': 'لديك 10 حسابات مرتبطة بالفعل',
    '{name} is connected': 'تم ربط حساب {name}',
    // Second factor and settings: messages
    'Two-factor authentication is on': 'تم تفعيل المصادقة الثنائية',
    'Two-factor authentication is off': 'تم إيقاف المصادقة الثنائية',
    'Two-factor authentication is already on': 'المصادقة الثنائية مفعّلة بالفعل',
    'That took too long. Please start again': 'انتهت المهلة. يُرجى البدء من جديد',
    "Your authenticator app can't be checked now. Use a recovery code instead":
      'يتعذّر حاليًا التحقق من تطبيق المصادقة. يُرجى استخدام رمز استرداد بدلًا منه',
    'Your email has been changed': 'تم تغيير بريدك الإلكتروني',
    'We sent you a link to set a password': 'أرسلنا إليك رابطًا لتعيين كلمة مرور',
    'Your password has been changed': 'تم تغيير كلمة المرور',
    'Your profile has been updated': 'تم تحديث ملفك الشخصي',
    'Your account has been deleted': 'تم حذف حسابك',
    'Password challenge is invalid': 'كلمة المرور الحالية غير صحيحة',
    // Workspaces
    Members: 'الأعضاء',
    Workspace: 'مساحة العمل',
    Activity: 'النشاط',
    'What happened in {name}. Its owners and admins see this page.':
      'كل ما حدث في {name}. يظهر هذا السجل للمالكين والمشرفين.',
    'No activity yet. Changes will appear here.': 'لا يوجد أي نشاط بعد. ستظهر هنا التغييرات القادمة.',
    'someone who left': 'عضو سابق',
    'Verify your email': 'تأكيد البريد الإلكتروني',
    'Name the workspace': 'تسمية مساحة العمل',
    'People you invite see this name.': 'يظهر هذا الاسم للآخرين عند دعوتهم.',
    'Invite someone': 'دعوة شخص',
    'Workspaces are made for sharing.': 'مساحة العمل مخصصة للعمل المشترك.',
    'First steps': 'الخطوات الأولى',
    'Done:': 'مكتملة:',
    'Here now': 'هنا الآن',
    'Who is here': 'من هنا الآن',
    'Nobody else at the moment.': 'لا أحد سواك حاليًا.',
    'and {count} more': 'و{count} غيرهم',
    Invitations: 'الدعوات',
    'Pending invitations': 'الدعوات المعلّقة',
    "Invitation links can't be copied: opening the emailed link is what proves the address.":
      'لا يمكن نسخ روابط هذه الدعوات، فوصول الرابط بالبريد هو ما يثبت ملكية العنوان.',
    'No pending invitations. People you invite appear here until they join.':
      'لا توجد دعوات معلّقة. تظهر كل دعوة هنا إلى حين قبولها.',
    Expired: 'منتهية الصلاحية',
    '{role}, expired {day}': '{role}، انتهت صلاحية الدعوة في {day}',
    '{role}, expires {day}': '{role}، تنتهي صلاحية الدعوة في {day}',
    'Revoke the invitation for {email}?': 'سحب دعوة {email}؟',
    'The link in the email to {email} will stop working. You can invite the same address again.':
      'سيتوقف عمل الرابط المرسل إلى {email}. يمكن دعوة العنوان نفسه مرة أخرى.',
    Invite: 'دعوة',
    'Invite people': 'دعوة أشخاص',
    'Each person gets an email with their own link, which works for a week.':
      'تُرسل إلى كل عنوان رسالة برابط خاص، صالح لمدة أسبوع.',
    'Email is missing.': 'البريد الإلكتروني: هذا الحقل مطلوب.',
    "This is your own address, and you're already a member.": 'هذا عنوانك، وعضويتك هنا قائمة بالفعل.',
    Emails: 'عناوين البريد الإلكتروني',
    'One or more, separated by commas, spaces or line breaks.':
      'عنوان واحد أو أكثر، تفصل بينها فواصل (,) أو مسافات أو أسطر.',
    'Sending…': 'جارٍ الإرسال…',
    'Invitation sent to {email}.': 'تم إرسال دعوة إلى {email}.',
    '{count} invitations sent.': {
      zero: 'لم يتم إرسال أي دعوة.',
      one: 'تم إرسال دعوة واحدة.',
      two: 'تم إرسال دعوتين.',
      few: 'تم إرسال {count} دعوات.',
      many: 'تم إرسال {count} دعوة.',
      other: 'تم إرسال {count} دعوة.',
    },
    'Latest activity': 'أحدث الأنشطة',
    'All activity': 'جميع الأنشطة',
    'Role updated: {name} is {role} now.': 'تم تحديث الدور: دور {name} الآن هو {role}.',
    Undo: 'تراجع',
    Email: 'البريد الإلكتروني',
    'This could not be sent.': 'تعذّر الإرسال.',
    "It's just you so far. Nobody else can see this workspace.":
      'لا أعضاء غيرك حتى الآن. محتوى مساحة العمل هذه لا يراه أحد سواك.',
    'Load more': 'عرض المزيد',
    '{count} found': 'عدد النتائج: {count}',
    '{count} people': {
      zero: 'لا أحد',
      one: 'شخص واحد',
      two: 'شخصان',
      few: '{count} أشخاص',
      many: '{count} شخصًا',
      other: '{count} شخص',
    },
    You: '', // an entry about oneself needs no subject
    '{name}': '{name}: ',
    "You can't leave because you're the only owner. Make someone else an owner first.":
      'لا يمكن إتمام المغادرة لعدم وجود مالك سواك. يلزم أولًا تعيين مالك آخر.',
    'Remove {name}?': 'إزالة {name}؟',
    '{name} ({email}) loses access to {account} right away and needs a new invitation to come back.':
      'سيُلغى فورًا وصول {name} ({email}) إلى {account}، وستتطلب العودة دعوة جديدة.',
    'Leave {name}?': 'مغادرة {name}؟',
    'You lose access to {name} right away and need a new invitation to come back. Everyone else stays.':
      'سيُلغى فورًا وصولك إلى {name}، وستتطلب العودة دعوة جديدة. لا يتأثر باقي الأعضاء.',
    'Leave workspace': 'مغادرة مساحة العمل',
    'Search by name or email': 'البحث بالاسم أو البريد الإلكتروني',
    'Name or email': 'الاسم أو البريد الإلكتروني',
    Role: 'الدور',
    'All roles': 'جميع الأدوار',
    Owners: 'المالكون',
    Admins: 'المشرفون',
    'The people in {name}.': 'أعضاء {name}.',
    'New workspace': 'مساحة عمل جديدة',
    'For a team, a client or a project. You will be its owner.': 'لفريق أو عميل أو مشروع. ستكون ملكيتها لك.',
    Name: 'الاسم',
    'Up to 60 characters; you can change it later.': '60 حرفًا على الأكثر، ويمكن تغييره لاحقًا.',
    'Create workspace': 'إنشاء مساحة عمل',
    'Your invitations': 'دعواتك',
    '{inviter} invited you to {account}': 'دعوة من {inviter} للانضمام إلى {account}',
    Somebody: 'شخص ما',
    Someone: 'شخص ما',
    'Two-factor authentication': 'المصادقة الثنائية',
    Required: 'إلزامية',
    'Everyone in this workspace signs in with more than a password: a code from an app, or a passkey.':
      'يتطلب تسجيل دخول أي عضو في مساحة العمل هذه أكثر من كلمة المرور وحدها: رمزًا من تطبيق أو مفتاح مرور.',
    'Require more than a password from everyone in this workspace: a code from an app, or a passkey. Members who have neither are asked to set one up before they can get back in.':
      'إلزام جميع أعضاء مساحة العمل هذه بأكثر من كلمة المرور وحدها: رمز من تطبيق أو مفتاح مرور. عند عدم توفر أي منهما، يُطلب إعداد أحدهما قبل الدخول مجددًا.',
    'You need a second factor of your own first. {link}': 'يلزم أولًا إعداد العامل الثاني لحسابك. {link}',
    'Set one up': 'إعداد العامل الثاني',
    'Stop requiring it': 'إيقاف الإلزام',
    'Stop requiring two-factor authentication in {name}?': 'إيقاف الإلزام بالمصادقة الثنائية في {name}؟',
    'From then on, a password alone is enough for everyone again. Second factors that members have set up stay on.':
      'بعد ذلك تكفي كلمة المرور وحدها لدخول جميع الأعضاء. لا يتغير العامل الثاني لدى أي منهم.',
    'Require two-factor authentication': 'الإلزام بالمصادقة الثنائية',
    Member: 'عضو',
    'Can see the workspace and its members.': 'الاطلاع على مساحة العمل وأعضائها.',
    Admin: 'مشرف',
    'Can also rename it, invite people and remove them.': 'إضافةً إلى ذلك: إعادة تسميتها ودعوة الأعضاء وإزالتهم.',
    'Make {name} an owner?': 'تعيين {name} بدور مالك؟',
    'Make owner': 'تعيين بدور مالك',
    '{name} gets full control of {account}, including deleting it and changing your role.':
      'يمنح ذلك {name} صلاحية كاملة على {account}، بما في ذلك الحذف وتغيير دورك.',
    'Step down as owner of {name}?': 'التنازل عن دور المالك في {name}؟',
    'Step down': 'التنازل',
    'Take the ownership from {name}?': 'سحب دور المالك من {name}؟',
    'Change role': 'تغيير الدور',
    '{name} loses full control of {account}. To make them an owner again, you need your password or a passkey.':
      'بعد ذلك لا تبقى لدى {name} صلاحية كاملة على {account}. تتطلب إعادة الدور كلمة المرور أو مفتاح المرور.',
    'You give up full control of {name}. Only another owner can make you an owner again.':
      'لن تعود لك صلاحية كاملة على {name}. لا يمكن أن يعيد إليك هذا الدور إلا مالك آخر.',
    Settings: 'الإعدادات',
    'How {name} appears to its members.': 'طريقة ظهور {name} لجميع الأعضاء.',
    'Picture of {name}': 'صورة {name}',
    'Shown next to the name everywhere.': 'تظهر بجانب الاسم أينما ورد.',
    'The address of this workspace. It never changes, so every link to it keeps working.':
      'عنوان مساحة العمل هذه. لا يتغير أبدًا، لتظل جميع الروابط المؤدية إليها صالحة.',
    'Up to 60 characters.': '60 حرفًا على الأكثر.',
    Save: 'حفظ',
    'The name of this workspace. Its owners and admins can change it.':
      'اسم مساحة العمل هذه. يمكن للمالكين والمشرفين تغييره.',
    'Delete this workspace': 'حذف مساحة العمل هذه',
    'Everyone loses access. This cannot be undone. To delete your own account, {link}.':
      'يسري الحذف على جميع الأعضاء، ولا يمكن التراجع عنه. لإغلاق حسابك الشخصي: {link}.',
    'go to your profile': 'الانتقال إلى الملف الشخصي',
    'Delete the workspace {name}?': 'حذف مساحة العمل {name}؟',
    'Delete workspace': 'حذف مساحة العمل',
    'The workspace {name} and everything in it will be permanently deleted.':
      'تُحذف مساحة العمل {name} وكل ما فيها نهائيًا.',
    'All members lose access right away, and invitations to it stop working.':
      'يُلغى وصول جميع الأعضاء فورًا، وتتوقف الدعوات إليها عن العمل.',
    'Members keep their accounts and their other workspaces.': 'تبقى حسابات الأعضاء ومساحات عملهم الأخرى كما هي.',
    'Counting the members': 'جارٍ عدّ الأعضاء',
    'Your role': 'دورك',
    'Loading the latest activity': 'جارٍ تحميل أحدث الأنشطة',
    // Activity lists
    Today: 'اليوم',
    Yesterday: 'أمس',
    'Download CSV': 'تنزيل CSV',
    'No activity matches your filters.': 'لا يوجد نشاط مطابق.',
    'No activity of this kind yet.': 'لا يوجد نشاط من هذا النوع بعد.',
    'Kinds of activity': 'أنواع النشاط',
    All: 'الكل',
    Person: 'الشخص',
    Anyone: 'أي شخص',
    From: 'من',
    To: 'إلى',
    Search: 'بحث',
    'Show all': 'عرض الكل',
    // Sign-in and sign-up
    'Check your email': 'يُرجى مراجعة بريدك الإلكتروني',
    "You asked for a new password for {email}. If that email belongs to a verified account, we've sent reset instructions to it. The link works once and expires after 20 minutes.":
      'تلقّينا طلب كلمة مرور جديدة للعنوان {email}. إذا كان هذا العنوان مرتبطًا بحساب مؤكَّد، فقد أرسلنا إليه تعليمات إعادة التعيين. الرابط صالح لمرة واحدة ولمدة 20 دقيقة.',
    'Send it again': 'إعادة الإرسال',
    "With another address, you won't join {account}. The invitation is for {email}.":
      'لا يتيح عنوان آخر الانضمام إلى {account}، وتبقى الدعوة بانتظار {email}.',
    "This address was invited, so you don't have to verify it. {button}":
      'الدعوة موجّهة إلى هذا العنوان، فلا حاجة إلى إثبات آخر. {button}',
    'Use another address': 'استخدام عنوان آخر',
    'Join {account_name}': 'الانضمام إلى {account_name}',
    "That passkey didn't work. Try again, or use your password.":
      'تعذّر استخدام مفتاح المرور. يُرجى المحاولة مجددًا أو استخدام كلمة المرور.',
    'Sign in with {name}': 'تسجيل الدخول عبر {name}',
    'Sign up with {name}': 'إنشاء حساب عبر {name}',
    or: 'أو',
    'Almost there': 'خطوة أخيرة',
    "You'll get your own account right away.": 'يُنشأ لك حساب خاص فورًا.',
    "{name} has verified this address, so you don't have to.": 'هذا العنوان مؤكَّد من {name}، فلا حاجة إلى إثبات آخر.',
    "{name} hasn't verified this address, so we'll email you a link.":
      'لم يصلنا من {name} عنوان مؤكَّد، لذا سنرسل رسالة إلى هذا العنوان.',
    'Sign in?': 'تسجيل الدخول؟',
    'Sign up': 'إنشاء حساب',
    'Already have an account? {link} and connect {name} in your settings.':
      'لديك حساب بالفعل؟ {link} ثم ربط حساب {name} من الإعدادات.',
    'You already have an account': 'لديك حساب بالفعل',
    'Someone already signed up with {email}, but not with {name}.':
      'سبق إنشاء حساب بالعنوان {email}، لكن ليس عبر {name}.',
    'If that was you, sign in the way you did then. Then connect {name} on the security page of your settings, and you can sign in with it from then on.':
      'إذا كان الحساب لك، فيُرجى تسجيل الدخول بالطريقة نفسها. بعد ذلك مباشرة يمكن ربط حساب {name} من صفحة الأمان في الإعدادات، واستخدامه لتسجيل الدخول لاحقًا.',
    "Confirm it's you": 'تأكيد الهوية',
    'This page requires a second factor, and you signed in with only a password.':
      'تتطلب الصفحة المطلوبة العامل الثاني، وتسجيل دخولك كان بكلمة المرور فقط.',
    'A new code appears every 30 seconds, and each works once.': 'يظهر رمز جديد كل نصف دقيقة، ويصلح كل رمز لمرة واحدة.',
    Continue: 'متابعة',
    'Use a passkey': 'استخدام مفتاح مرور',
    'Instead of a code, use your fingerprint, face or device PIN.':
      'بدلًا من الرمز: بصمة الإصبع أو الوجه أو رمز PIN للجهاز.',
    'Use your fingerprint, face or device PIN.': 'بصمة الإصبع أو الوجه أو رمز PIN للجهاز.',
    'Use my authenticator app': 'استخدام تطبيق المصادقة',
    'Use a recovery code': 'استخدام رمز استرداد',
    'Not now? {link}': 'ليس الآن؟ {link}',
    'Go to your settings': 'الانتقال إلى الإعدادات',
    'Not you? {link}': 'ليس هذا حسابك؟ {link}',
    'Start again': 'البدء من جديد',
    'Open your authenticator app and enter the six digits it shows.':
      'يُرجى فتح تطبيق المصادقة وإدخال الأرقام الستة الظاهرة فيه.',
    'Enter one of the recovery codes you saved when you turned on two-factor authentication.':
      'يُرجى إدخال أحد رموز الاسترداد المحفوظة عند تفعيل المصادقة الثنائية.',
    'Recovery code': 'رمز الاسترداد',
    "24 letters and digits. Spaces, dashes and capitalization don't matter.":
      '24 حرفًا ورقمًا. لا أهمية للمسافات والشرطات وحالة الأحرف.',
    Password: 'كلمة المرور',
    'Sign in with a passkey': 'تسجيل الدخول بمفتاح مرور',
    'No password needed: use your fingerprint, face or device PIN.':
      'دون كلمة مرور: بصمة الإصبع أو الوجه أو رمز PIN للجهاز.',
    'Forgot your password?': 'نسيت كلمة المرور؟',
    'No account yet? {link}': 'ليس لديك حساب؟ {link}',
    "You've been signed out: in another tab, from another device, or because the password was changed. Sign in to pick up where you left off. What you typed there is still there.":
      'تم تسجيل خروجك: من علامة تبويب أخرى، أو من جهاز آخر، أو بسبب تغيير كلمة المرور. يُرجى تسجيل الدخول للمتابعة من حيث توقفت. ما كتبته هناك محفوظ.',
    'Please sign in to continue.': 'يُرجى تسجيل الدخول للمتابعة.',
    'Good to see you again.': 'مرحبًا بعودتك.',
    "You'll get your own workspace right away.": 'تُنشأ لك مساحة عمل خاصة فورًا.',
    'Already have an account? {link}': 'لديك حساب بالفعل؟ {link}',
    // Forms
    'This page could not be loaded completely.': 'تعذّر تحميل هذه الصفحة بالكامل.',
    Code: 'الرمز',
    'Continue without a passkey': 'المتابعة دون مفتاح مرور',
    'Use your password instead': 'استخدام كلمة المرور بدلًا من ذلك',
    'Your device will ask for your passkey.': 'يطلب جهازك مفتاح المرور.',
    'Current password': 'كلمة المرور الحالية',
    'Use a passkey instead': 'استخدام مفتاح مرور بدلًا من ذلك',
    'Long enough': 'الطول كافٍ',
    'At least {minimum} characters': '{minimum} حرفًا على الأقل',
    'At least {minimum} characters, {missing} to go': '{minimum} حرفًا على الأقل، المتبقي: {missing}',
    "We couldn't ask for your passkey. Try again, or use your password.":
      'تعذّر طلب مفتاح المرور. يُرجى المحاولة مجددًا أو استخدام كلمة المرور.',
    Passkey: 'مفتاح المرور',
    Hide: 'إخفاء',
    Show: 'إظهار',
    "You don't have a password, but you just signed in, which is enough.":
      'لا توجد كلمة مرور لحسابك. تسجيل دخولك قبل قليل يكفي.',
    "You don't have a password. You can do this within five minutes of signing in, but you signed in longer ago.":
      'لا توجد كلمة مرور لحسابك. لا يلزم إثبات آخر خلال خمس دقائق من تسجيل الدخول، لكن هذه المدة انقضت.',
    'Sign out and back in': 'تسجيل الخروج ثم الدخول مجددًا',
    // Home and head
    '{appName}: one sign-in for your personal workspace and the ones you share with a team, a client or a project.':
      '{appName}: تسجيل دخول واحد لمساحة عملك الشخصية وللمساحات المشتركة مع فريق أو عميل أو ضمن مشروع.',
    '{appName} needs JavaScript: its forms include a security check that only a script can add. Please allow it for this site and reload the page.':
      'يتطلب {appName} تشغيل JavaScript: تحمل النماذج إثباتًا لمصدرها لا يمكن إضافته بغير ذلك. يُرجى السماح به لهذا الموقع وإعادة تحميل الصفحة.',
    'One key': 'مفتاح واحد',
    'Sign up once. One password opens every workspace you have or share.':
      'حساب يُنشأ مرة واحدة، وكلمة مرور واحدة تفتح جميع مساحات عملك الخاصة والمشتركة.',
    'Room for every team': 'مساحة لكل فريق',
    'Start with a workspace of your own. Create another for a team or a client, and switch between them anywhere.':
      'البداية بمساحة عمل خاصة بك، ثم مساحة أخرى لفريق أو عميل، مع سهولة التنقل بينها من أي مكان.',
    'Every device in sight': 'جميع أجهزتك أمامك',
    "See where you're signed in and when you were last active there. End a session you don't recognize with one click.":
      'عرض الأجهزة التي سُجّل دخولك منها ووقت آخر نشاط على كل منها، وإنهاء أي جلسة غير معروفة بنقرة واحدة.',
    'One door to all your workspaces.': 'باب واحد إلى جميع مساحات عملك.',
    '{appName} keeps your own things and what you share with others in separate rooms, and one sign-in lets you move between them.':
      'مع {appName}، لأعمالك الخاصة مساحة وللأعمال المشتركة مساحات مستقلة، والتنقل بينها بتسجيل دخول واحد.',
    'Create your account': 'إنشاء حساب',
    'I already have an account': 'لدي حساب بالفعل',
    'New here? You need an invitation from a member to join {appName}.':
      'أول زيارة؟ الانضمام إلى {appName} متاح بدعوة من أحد الأعضاء.',
    // Address not mine, password reset
    'Not you?': 'لم يكن هذا من طرفك؟',
    "Someone signed up with {email}. If it wasn't you, remove their account: everything in it is deleted, and you can sign up with the address yourself.":
      'أُنشئ حساب بالعنوان {email}. إذا لم يكن ذلك منك، فيمكن إزالة الحساب: سيُحذف كل ما فيه، ويصبح العنوان متاحًا لإنشاء حسابك.',
    'Remove the account': 'إزالة الحساب',
    'If it was you, close this page: nothing has changed.': 'هل هذا حسابك؟ يُرجى إغلاق هذه الصفحة، فلم يتغير شيء.',
    'Reset your password': 'إعادة تعيين كلمة المرور',
    'Choose a new one for {email}. You will be signed out on all your devices.':
      'يُرجى اختيار كلمة مرور جديدة للعنوان {email}. سيُسجَّل خروجك من جميع أجهزتك.',
    'Reset password': 'إعادة تعيين كلمة المرور',
    "Enter your email, and we'll send you a link to choose a new one.":
      'يُرجى إدخال البريد الإلكتروني، وسنرسل رابطًا لاختيار كلمة مرور جديدة.',
    'Send reset instructions': 'إرسال تعليمات إعادة التعيين',
    'Remembered it? {link}': 'تذكرت كلمة المرور؟ {link}',
    // Invitations
    'Valid until': 'صالحة حتى',
    'This invitation has expired, or was already accepted. If you need a new one, ask the person who sent it.':
      'انتهت صلاحية هذه الدعوة أو سبق قبولها. عند الحاجة إلى دعوة جديدة، يُرجى طلبها ممن أرسلها.',
    "It's for {invited}. Sign up with this address, or sign in if you already have an account.":
      'الدعوة موجّهة إلى {invited}. يُرجى إنشاء حساب بهذا العنوان، أو تسجيل الدخول إذا سبق إنشاؤه.',
    'You are signed in as {invited}.': 'تم تسجيل دخولك بالعنوان {invited}.',
    "It's for {invited}, but you're signed in as {signed_in_as}. To accept it, sign out and come back with the other address.":
      'الدعوة موجّهة إلى {invited}، بينما تم تسجيل دخولك بالعنوان {signed_in_as}. لقبولها، يُرجى تسجيل الخروج والعودة بالعنوان الآخر.',
    'Accept invitation': 'قبول الدعوة',
    Decline: 'رفض',
    'Decline the invitation to {account}?': 'رفض الدعوة إلى {account}؟',
    "The invitation will be deleted. To join later, you'll need a new one.":
      'تُلغى الدعوة لدى الطرفين. يتطلب الانضمام لاحقًا دعوة جديدة.',
    'Decline invitation': 'رفض الدعوة',
    'Sign out': 'تسجيل الخروج',
    'Sign in if you already accepted it': 'تسجيل الدخول إذا سبق قبول الدعوة',
    'Go to the home page': 'الانتقال إلى الصفحة الرئيسية',
    'Go to your workspaces': 'الانتقال إلى مساحات العمل',
    // Layouts and menus
    'Your workspaces': 'مساحات عملك',
    'Search your workspaces': 'البحث في مساحات العمل',
    Personal: 'شخصية',
    'No workspaces match.': 'لا توجد مساحة عمل بهذا الاسم.',
    'Invitation to {account}': 'دعوة إلى {account}',
    'Workspace:': 'مساحة العمل:',
    Workspaces: 'مساحات العمل',
    'You have open invitations': 'لديك دعوات معلّقة',
    Dashboard: 'لوحة المعلومات',
    'Reconnecting…': 'جارٍ إعادة الاتصال…',
    'You no longer have access to {name}.': 'لم يعد بإمكانك الوصول إلى {name}.',
    Overview: 'نظرة عامة',
    Language: 'اللغة',
    Dismiss: 'إغلاق',
    Theme: 'نمط الألوان',
    Light: 'فاتح',
    Dark: 'داكن',
    System: 'النظام',
    Profile: 'الملف الشخصي',
    Security: 'الأمان',
    Sessions: 'الجلسات',
    Appearance: 'المظهر',
    'Back to {name}': 'العودة إلى {name}',
    'Sign in or sign up': 'تسجيل الدخول أو إنشاء حساب',
    'Skip to content': 'الانتقال إلى المحتوى',
    'Menu of {name}': 'قائمة {name}',
    'Email verification': 'تأكيد البريد الإلكتروني',
    'Please verify your email address. We sent a link to {email}.':
      'يُرجى تأكيد عنوان بريدك الإلكتروني. أرسلنا رابطًا إلى {email}.',
    // Pictures
    "This browser can't read HEIC photos. Choose a JPEG instead: phones convert the photos they send by email.":
      'لا يمكن لهذا المتصفح قراءة صور HEIC. يُرجى اختيار الصورة بصيغة JPEG: تُحوّل الهواتف الصور المرسلة بالبريد إلى هذه الصيغة.',
    'This is not a picture we can read. Choose a JPEG, PNG, WebP, GIF or AVIF.':
      'تعذّرت قراءة هذه الصورة. يُرجى اختيار صورة بصيغة JPEG أو PNG أو WebP أو GIF أو AVIF.',
    Picture: 'الصورة',
    'Choose a file, drop it here, or paste it.': 'يمكن اختيار ملف أو إفلاته هنا أو لصقه.',
    'Change picture': 'تغيير الصورة',
    'Choose a picture': 'اختيار صورة',
    'Remove picture': 'إزالة الصورة',
    This: 'الصورة',
    'This picture could not be made smaller. Try another one.': 'تعذّر تصغير هذه الصورة. يُرجى تجربة صورة أخرى.',
    'Update picture': 'تحديث الصورة',
    'Drag the picture, or move it with the arrow keys and zoom with + and −.':
      'يمكن سحب الصورة أو تحريكها بمفاتيح الأسهم، وتكبيرها أو تصغيرها بالمفتاحين + و−.',
    Zoom: 'التكبير',
    Sent: 'نسبة الإرسال',
    'Crop area': 'الجزء الظاهر من الصورة',
    // Dialogs
    Cancel: 'إلغاء',
    // Error pages
    "We couldn't read that request (400)": 'طلب غير مفهوم (400)',
    "We couldn't read that request": 'طلب غير مفهوم',
    'Something in it was missing or broken. Go back, check what you entered and try again.':
      'كان جزء من الطلب ناقصًا أو غير صالح. يُرجى العودة والتحقق من البيانات المُدخلة والمحاولة مرة أخرى.',
    'Page not found (404)': 'الصفحة غير موجودة (404)',
    'Page not found': 'الصفحة غير موجودة',
    "The page was moved or deleted, or you don't have access to it. Check the address, or start again from the home page.":
      'نُقلت الصفحة أو أُزيلت، أو أن الوصول إليها غير متاح لك. يُرجى التحقق من العنوان أو البدء من الصفحة الرئيسية.',
    'Your browser is too old (406)': 'المتصفح قديم جدًا (406)',
    'Your browser is too old': 'المتصفح قديم جدًا',
    'This site needs Chrome 120, Firefox 121, Safari 17.2, Opera 106 or newer. Please update your browser and come back.':
      'يتطلب هذا الموقع Chrome 120 أو Firefox 121 أو Safari 17.2 أو Opera 106 أو أي إصدار أحدث. يُرجى تحديث المتصفح ثم العودة.',
    "Delete this site's cookies (431)": 'يلزم حذف ملفات تعريف الارتباط لهذا الموقع (431)',
    "Delete this site's cookies": 'يلزم حذف ملفات تعريف الارتباط لهذا الموقع',
    'Your browser sends more of them than we can read, or the address is too long.':
      'يرسل متصفحك منها أكثر مما يمكننا قراءته، أو أن العنوان طويل جدًا.',
    'Click the symbol beside the address, open the cookies and site data, and delete them. In Safari, open Settings, Privacy, Manage Website Data. Then reload this page and sign in again.':
      'يُرجى النقر على الرمز بجانب العنوان، وفتح ملفات تعريف الارتباط وبيانات الموقع، ثم حذفها. مكانها في Safari هو الإعدادات، ثم الخصوصية، ثم إدارة بيانات مواقع الويب. بعد ذلك يُرجى إعادة تحميل هذه الصفحة وتسجيل الدخول من جديد.',
    'This form has expired (422)': 'انتهت صلاحية هذا النموذج (422)',
    'This form has expired': 'انتهت صلاحية هذا النموذج',
    'It was open for too long, came from somewhere else, or was sent without JavaScript, which adds a security check. Nothing was changed. Reload the page and try again.':
      'بقي النموذج مفتوحًا مدة طويلة، أو جاء من مصدر آخر، أو أُرسل دون JavaScript الذي يضيف إثباتًا لمصدره. لم يتغير أي شيء. يُرجى إعادة تحميل الصفحة والمحاولة مرة أخرى.',
    'Something went wrong on our side (500)': 'حدث خلل لدينا (500)',
    'Something went wrong on our side': 'حدث خلل لدينا',
    "It's not your fault. Wait a moment and try again.": 'لم يحدث ذلك بسببك. يُرجى الانتظار قليلًا ثم المحاولة مجددًا.',
    // Settings: activity
    'Sign-ins': 'عمليات تسجيل الدخول',
    'Your activity': 'نشاطك',
    "What you did, and what others did to your account. If something wasn't you, {sessions} and {password}.":
      'العمليات التي أجريتها وتلك التي أُجريت على حسابك. عند ملاحظة نشاط غير معروف، يُرجى {sessions} و{password}.',
    'end all other sessions': 'إنهاء جميع الجلسات الأخرى',
    'change your password': 'تغيير كلمة المرور',
    you: 'أنت',
    'No activity yet.': 'لا يوجد أي نشاط بعد.',
    // Settings: adding a passkey
    'a passkey': 'مفتاح مرور',
    'Add a passkey': 'إضافة مفتاح مرور',
    "First, we need to know it's you. Then your device asks where to save the passkey and how to unlock it.":
      'يلزم أولًا التحقق من هويتك. بعد ذلك يسأل جهازك عن مكان حفظ مفتاح المرور وطريقة فتحه.',
    'You already have a passkey on this device.': 'يحفظ هذا الجهاز بالفعل مفتاح مرور خاصًا بك.',
    'No passkey was created. You can try again at any time.': 'لم يُنشأ مفتاح مرور. يمكن إعادة المحاولة في أي وقت.',
    'That did not work. Please try again in a moment.': 'تعذّر إتمام العملية. يُرجى المحاولة مجددًا بعد قليل.',
    // Settings: appearance
    'Always light': 'ألوان فاتحة دائمًا',
    'Always dark': 'ألوان داكنة دائمًا',
    'Same as your device': 'وفق إعداد الجهاز',
    'How everything looks in this browser.': 'شكل الصفحات في هذا المتصفح.',
    // Settings: email
    'You sign in with it, and we write to you there when it matters.':
      'يُستخدم لتسجيل الدخول، ونراسلك عليه في الأمور المهمة.',
    'Change email': 'تغيير البريد الإلكتروني',
    Verified: 'مؤكَّد',
    "If you ever forget your password, we'll send a link to this address.":
      'عند نسيان كلمة المرور، نرسل رابطًا إلى هذا العنوان.',
    'Resend verification email': 'إعادة إرسال رسالة التأكيد',
    'Not verified': 'غير مؤكَّد',
    // Settings: first password
    "You don't have one: you sign in with a connected account or a passkey.":
      'لا توجد كلمة مرور لحسابك، ويتم تسجيل الدخول بحساب مرتبط أو بمفتاح مرور.',
    'Set a password': 'تعيين كلمة مرور',
    "We'll send a link to {email}. It works once and expires after 20 minutes. Setting a password signs you out everywhere.":
      'سنرسل رابطًا إلى {email}، صالحًا لمرة واحدة ولمدة 20 دقيقة. يؤدي تعيين كلمة مرور إلى تسجيل خروجك من جميع الأجهزة.',
    'Send the link': 'إرسال الرابط',
    // Settings: connected accounts
    'Single sign-on': 'الدخول الموحّد',
    'Connected accounts': 'الحسابات المرتبطة',
    'Anyone who can sign in to one of these accounts can sign in here as you. What you do here is not shared with them.':
      'إمكانية تسجيل الدخول إلى حسابك هناك تتيح تسجيل الدخول إلى حسابك هنا أيضًا. لا تُبلَّغ الجهات المزوّدة بأي شيء عن نشاطك هنا.',
    'Connect {name}': 'ربط حساب {name}',
    "First, we need to know it's you. Then {name} asks whether you agree.":
      'يلزم أولًا التحقق من هويتك. بعد ذلك تُطلب موافقتك لدى {name}.',
    'Connected {day}, {use}': 'تاريخ الربط: {day}، {use}',
    'used {time}': 'آخر استخدام: {time}',
    'not used yet': 'لم يُستخدم بعد',
    'Disconnect {provider}?': 'فصل حساب {provider}؟',
    Disconnect: 'فصل',
    "You'll no longer be able to sign in with it. You stay signed in.":
      'لن يعود تسجيل الدخول هنا ممكنًا بهذا الحساب. تستمر جلستك الحالية.',
    // Settings: language
    'Same as your browser': 'لغة المتصفح',
    'For these pages and for the emails you get.': 'للصفحات هنا وللرسائل المرسلة إليك.',
    // Settings: passkeys
    Passkeys: 'مفاتيح المرور',
    'A passkey is stored on your phone, on your computer or in your password manager, and unlocks the same way as your device: with your fingerprint, face or PIN. It replaces your password and code, and nobody can trick you into giving it away.':
      'يُحفظ مفتاح المرور في هاتفك أو حاسوبك أو مدير كلمات المرور، ويُفتح كما يُفتح الجهاز: ببصمة الإصبع أو الوجه أو رمز PIN. يحل محل كلمة المرور والرمز، ولا يمكن الحصول عليه منك بالخداع.',
    'Added {day}, {use}': 'تاريخ الإضافة: {day}، {use}',
    'Synced: on all your devices with that account': 'متزامن: على جميع أجهزتك المرتبطة بذلك الحساب',
    'On one device only': 'على جهاز واحد فقط',
    'Remove this passkey?': 'إزالة مفتاح المرور هذا؟',
    '{name} will no longer sign you in. Your device may keep showing it until you delete it there, too.':
      'لن يعود {name} صالحًا لتسجيل الدخول. قد يستمر الجهاز في عرضه إلى حين حذفه منه أيضًا.',
    // Settings: password
    'Changing it signs you out on all your other devices.': 'يؤدي تغييرها إلى تسجيل خروجك من جميع أجهزتك الأخرى.',
    'New password': 'كلمة المرور الجديدة',
    'Change password': 'تغيير كلمة المرور',
    // Settings: profile
    'How you appear to the people you share a workspace with.': 'طريقة ظهورك لمن يشاركونك مساحات العمل.',
    'Your picture': 'صورتك',
    'Helps others recognize you.': 'تساعد الآخرين في العثور عليك في القوائم.',
    'Your data': 'بياناتك',
    'Everything we store about you, in one file: your profile, sessions, workspaces and activity.':
      'كل ما نحتفظ به عنك في ملف واحد: ملفك الشخصي وجلساتك ومساحات عملك ونشاطك.',
    'Download your data': 'تنزيل بياناتك',
    'Delete your account': 'حذف حسابك',
    'This permanently deletes your account.': 'سيُحذف حسابك نهائيًا.',
    "You're signed out everywhere right away.": 'يُسجَّل خروجك فورًا من جميع الأجهزة.',
    'Workspaces without other members are deleted with your account.':
      'تُحذف مع حسابك مساحات العمل التي لا أعضاء فيها سواك.',
    // Settings: recovery codes
    'Your recovery codes are copied.': 'تم نسخ رموز الاسترداد.',
    'Save your recovery codes': 'يُرجى حفظ رموز الاسترداد',
    "If you lose your phone, each of them signs you in once. They are shown only now, so keep them where you'd keep a spare key, and not on that phone.":
      'يتيح كل رمز تسجيل الدخول مرة واحدة عند فقدان الهاتف. لا تُعرض الرموز إلا الآن، لذا يُرجى حفظها حيث يُحفظ مفتاح احتياطي، وليس على الهاتف نفسه.',
    Copy: 'نسخ',
    Download: 'تنزيل',
    Print: 'طباعة',
    "I've saved them": 'حفظت الرموز',
    // Settings: renaming a passkey
    'Rename this passkey': 'إعادة تسمية مفتاح المرور',
    'Name it after the device or the password manager that stores it.':
      'يُفضَّل استخدام اسم الجهاز أو مدير كلمات المرور الذي يحفظه.',
    Rename: 'إعادة التسمية',
    // Settings: authenticator app
    'Authenticator app': 'تطبيق المصادقة',
    On: 'مفعَّل',
    'An app on your phone shows a new code every 30 seconds. Signing in then takes your password and that code, so nobody gets in with just a stolen password.':
      'يعرض تطبيق على هاتفك رمزًا جديدًا كل نصف دقيقة. يتطلب تسجيل الدخول عندئذٍ كلمة المرور وهذا الرمز معًا، فلا تكفي كلمة مرور مسروقة وحدها للدخول.',
    'On since {time}.': 'مفعَّل منذ {time}.',
    'Turn off': 'إيقاف',
    'Turn off two-factor authentication?': 'إيقاف المصادقة الثنائية؟',
    'From then on, your password alone is enough to sign in, for you and for anyone else who may know it. Your recovery codes stop working.':
      'بعد ذلك تكفي كلمة المرور وحدها لتسجيل الدخول، لك ولكل من قد يعرفها. تتوقف رموز الاسترداد عن العمل.',
    'Set up': 'إعداد',
    'Set up an authenticator app': 'إعداد تطبيق المصادقة',
    'No recovery codes left': 'لم يتبقَّ أي رمز استرداد',
    "Each of them signs you in once when you don't have your phone.":
      'يتيح كل رمز تسجيل الدخول مرة واحدة عندما لا يكون الهاتف في متناول اليد.',
    'Create new codes': 'إنشاء رموز جديدة',
    'Create new recovery codes?': 'إنشاء رموز استرداد جديدة؟',
    "You'll get ten new ones, and your current ones stop working.":
      'تُنشأ عشرة رموز جديدة، وتتوقف الرموز الحالية عن العمل.',
    '{count} recovery codes left': {
      zero: 'لم يتبقَّ أي رمز استرداد',
      one: 'تبقّى رمز استرداد واحد',
      two: 'تبقّى رمزا استرداد',
      few: 'تبقّت {count} رموز استرداد',
      many: 'تبقّى {count} رمز استرداد',
      other: 'تبقّى {count} رمز استرداد',
    },
    "Ways to confirm it's you, besides your password.": 'وسائل تأكيد هويتك إلى جانب كلمة المرور.',
    // Settings: sessions
    "Where you're signed in. End any session you don't recognize.":
      'الأجهزة التي سُجّل دخولك منها. يُرجى إنهاء كل جلسة غير معروفة.',
    'End all other sessions': 'إنهاء جميع الجلسات الأخرى',
    "You're signed out right away everywhere except on this device.":
      'يُسجَّل خروجك فورًا من جميع الأجهزة باستثناء هذا الجهاز.',
    'This device': 'هذا الجهاز',
    'Signed in {time} {method}': 'تسجيل الدخول في {time} {method}',
    // Settings: setting up the app
    'Set up your app': 'إعداد التطبيق',
    'Open an authenticator app on your phone. Many password managers work, too.':
      'يُرجى فتح تطبيق مصادقة على الهاتف. كثير من تطبيقات إدارة كلمات المرور يؤدي هذا الدور أيضًا.',
    'Scan this picture with it.': 'يُرجى مسح هذه الصورة ضوئيًا باستخدام التطبيق.',
    'The key below as a QR code': 'المفتاح أدناه على شكل رمز QR',
    'No camera? {link}, or type this key: {key}': 'لا توجد كاميرا؟ {link}، أو إدخال هذا المفتاح: {key}',
    'Open the app on this device': 'فتح التطبيق على هذا الجهاز',
    'Enter the six digits the app shows now. You have ten minutes.':
      'يُرجى إدخال الأرقام الستة الظاهرة الآن في التطبيق. المهلة المتاحة عشر دقائق.',
    'Turn on': 'تفعيل',
    // Shared
    'just now': 'الآن',
    // Failures
    'That no longer exists.': 'لم يعد هذا المحتوى موجودًا.',
    'That is too much at once. Make it shorter and try again.':
      'حجم البيانات المرسلة كبير جدًا. يُرجى تقصيرها ثم المحاولة مجددًا.',
    'This page is out of date. Reload it and try again.':
      'هذه الصفحة لم تعد محدَّثة. يُرجى إعادة تحميلها ثم المحاولة مجددًا.',
    'Too many tries. Wait a moment and try again.': 'محاولات كثيرة جدًا. يُرجى الانتظار قليلًا ثم المحاولة مجددًا.',
    'We are busy right now. Wait a moment and try again.':
      'الخدمة مشغولة حاليًا. يُرجى الانتظار قليلًا ثم المحاولة مجددًا.',
    'Something went wrong on our side. Please try again.': 'حدث خلل لدينا. يُرجى المحاولة مجددًا.',
    "We can't reach the server. Check your connection and try again: nothing you typed is lost.":
      'تعذّر الوصول إلى الخادم. يُرجى التحقق من الاتصال ثم المحاولة مجددًا: لم يُفقد شيء مما كتبته.',
    // Activities
    '{actor} signed up': '{actor}إنشاء حساب',
    '{actor} signed in {method}': '{actor}تسجيل الدخول {method}',
    '{actor} signed in': '{actor}تسجيل الدخول',
    '{actor} signed out': '{actor}تسجيل الخروج',
    '{actor} ended another session': '{actor}إنهاء جلسة أخرى',
    '{actor} ended all other sessions': '{actor}إنهاء جميع الجلسات الأخرى',
    'Someone tried to sign in with a wrong password': 'محاولة تسجيل دخول بكلمة مرور خاطئة',
    '{actor} verified the email address': '{actor}تأكيد عنوان البريد الإلكتروني',
    '{actor} changed the name from {from} to {to}': '{actor}تغيير الاسم من {from} إلى {to}',
    '{actor} changed the email address': '{actor}تغيير عنوان البريد الإلكتروني',
    '{actor} changed the password': '{actor}تغيير كلمة المرور',
    '{actor} reset the password by email': '{actor}إعادة تعيين كلمة المرور برسالة',
    '{actor} exported all data': '{actor}تصدير جميع البيانات',
    '{actor} turned on two-factor authentication': '{actor}تفعيل المصادقة الثنائية',
    '{actor} turned off two-factor authentication': '{actor}إيقاف المصادقة الثنائية',
    '{actor} created new recovery codes': '{actor}إنشاء رموز استرداد جديدة',
    '{actor} used a recovery code': '{actor}استخدام رمز استرداد',
    'Someone who knows the password entered ten wrong codes': 'إدخال عشرة رموز خاطئة من شخص يعرف كلمة المرور',
    '{actor} added the passkey {passkey}': '{actor}إضافة مفتاح المرور {passkey}',
    '{actor} renamed the passkey {from} to {to}': '{actor}إعادة تسمية مفتاح المرور {from} إلى {to}',
    '{actor} removed the passkey {passkey}': '{actor}إزالة مفتاح المرور {passkey}',
    '{actor} removed the picture': '{actor}إزالة الصورة',
    '{actor} changed the picture': '{actor}تغيير الصورة',
    '{actor} connected {provider}': '{actor}ربط حساب {provider}',
    '{actor} disconnected {provider}': '{actor}فصل حساب {provider}',
    '{actor} created the workspace {account}': '{actor}إنشاء مساحة العمل {account}',
    '{actor} created the workspace': '{actor}إنشاء مساحة العمل',
    '{actor} renamed the workspace from {from} to {to}': '{actor}إعادة تسمية مساحة العمل من {from} إلى {to}',
    '{actor} deleted the workspace {account}': '{actor}حذف مساحة العمل {account}',
    '{actor} deleted the workspace': '{actor}حذف مساحة العمل',
    '{actor} invited {invited} as {role}': '{actor}دعوة {invited} بدور {role}',
    '{actor} revoked the invitation for {invited} as {role}': '{actor}سحب دعوة {invited} بدور {role}',
    '{actor} declined the invitation to the workspace {account} as {role}':
      '{actor}رفض الدعوة إلى مساحة العمل {account} بدور {role}',
    '{actor} declined the invitation to the workspace as {role}': '{actor}رفض الدعوة إلى مساحة العمل بدور {role}',
    'You joined {account} as {role}': 'الانضمام إلى {account} بدور {role}',
    '{name} joined as {role}': '{name}: الانضمام بدور {role}',
    '{actor} removed {other}': '{actor}إزالة {other}',
    '{actor} left {account}': '{actor}مغادرة {account}',
    '{actor} left': '{actor}المغادرة',
    '{other} became {role} because no owner was left': '{other}: الحصول على دور {role}، لعدم بقاء أي مالك',
    'You became {role} in {account} because no owner was left': 'الحصول على دور {role} في {account}، لعدم بقاء أي مالك',
    '{actor} changed your own role in {account} from {from} to {to}':
      '{actor}تغيير دورك في {account} من {from} إلى {to}',
    '{actor} changed your role in {account} from {from} to {to}': '{actor}تغيير دورك في {account} من {from} إلى {to}',
    '{actor} changed their own role from {from} to {to}': '{actor}تغيير الدور من {from} إلى {to}',
    '{actor} changed {other}’s role from {from} to {to}': '{actor}تغيير دور {other} من {from} إلى {to}',
    someone: 'شخص ما',
    owner: 'مالك',
    admin: 'مشرف',
    member: 'عضو',
    'an owner': 'مالك',
    'an admin': 'مشرف',
    'a member': 'عضو',
    themselves: 'الشخص نفسه',
    'An operator': 'أحد مسؤولي النظام',
    yourself: 'أنت',
    // Answers of the server
    'That session has ended.': 'انتهت تلك الجلسة.',
    'That email or password is incorrect. Check both and try again.':
      'البريد الإلكتروني أو كلمة المرور غير صحيحة. يُرجى التحقق منهما ثم المحاولة مجددًا.',
    'Your email is already verified, so this link is no longer needed.':
      'البريد الإلكتروني مؤكَّد بالفعل: أدّى الرابط غرضه.',
    'Try again later.': 'يُرجى المحاولة لاحقًا.',
    'Too many tries. Try again later: {distance}.': 'محاولات كثيرة جدًا. يُرجى المحاولة لاحقًا: {distance}.',
    // Messages of fields
    '{label} {message}.': '{label}: {message}.',
    'That is not your current password.': 'كلمة المرور الحالية غير صحيحة.',
    '{label} is missing.': '{label}: هذا الحقل مطلوب.',
    'Enter your current password.': 'يُرجى إدخال كلمة المرور الحالية.',
    'The picture is missing.': 'الصورة مطلوبة.',
    'That passkey did not work. Try again, or use your password.':
      'تعذّر استخدام مفتاح المرور. يُرجى المحاولة مجددًا أو استخدام كلمة المرور.',
    'That code is wrong or was already used.': 'الرمز غير صحيح أو سبق استخدامه.',
    'The password needs at least 12 characters.': 'كلمة المرور: 12 حرفًا على الأقل.',
    '{label} is too long: 72 characters at most, fewer with accents and emoji.':
      '{label}: 72 حرفًا لاتينيًا على الأكثر، وأقل من ذلك مع الحروف العربية والرموز التعبيرية.',
    'This is not a picture we can read.': 'تعذّرت قراءة هذه الصورة.',
    'The picture is too large: 8 MB at most.': 'الصورة كبيرة جدًا: 8 ميغابايت على الأكثر.',
    'The picture has too many pixels: 50 million at most.':
      'عدد وحدات البكسل في الصورة كبير جدًا: 50 مليونًا على الأكثر.',
    'An account with this email already exists.': 'يوجد حساب بهذا البريد الإلكتروني.',
    'This address has already been invited.': 'سبق إرسال دعوة إلى هذا العنوان.',
    'This address already belongs to a member.': 'هذا العنوان لأحد الأعضاء بالفعل.',
    'This address cannot be invited again today.': 'لا يمكن إرسال دعوة أخرى إلى هذا العنوان اليوم.',
    // Ways of signing in
    'with a password': 'بكلمة المرور',
    'with a password and a code': 'بكلمة المرور ورمز',
    'with a password and a recovery code': 'بكلمة المرور ورمز استرداد',
    'with a passkey': 'بمفتاح مرور',
    'with {provider} and a code': 'عبر {provider} مع رمز',
    'with {provider} and a recovery code': 'عبر {provider} مع رمز استرداد',
    'with {provider}': 'عبر {provider}',
    // Roles
    Owner: 'مالك',
    'Owner: you have full control of the workspace.': 'مالك: صلاحية كاملة على مساحة العمل.',
    'Admin: you manage the workspace and its members.': 'مشرف: إدارة مساحة العمل وأعضائها.',
    'Member: you can see the workspace and its members.': 'عضو: الاطلاع على مساحة العمل وأعضائها.',
    'Full control': 'صلاحية كاملة',
    'Manages the workspace and its members': 'إدارة مساحة العمل وأعضائها',
    'Part of the workspace': 'عضوية في مساحة العمل',
    // Permissions and sessions
    "You don't have permission to do that": 'لا تتوفر لديك صلاحية لإجراء ذلك',
    'You are signed in as {email} now. Nothing was changed': 'تم تسجيل دخولك الآن بالعنوان {email}. لم يتغيّر أي شيء',
    'Your session has ended. Please sign in again': 'انتهت جلستك. يُرجى تسجيل الدخول مجددًا',
    'Set a password or add a passkey first': 'يلزم أولًا تعيين كلمة مرور أو إضافة مفتاح مرور',
    'Your {appName} account has been permanently deleted, along with everything that belonged only to you.':
      'تم حذف حسابك في {appName} نهائيًا مع كل ما كان يخصك وحدك.',
    "If this wasn't you, someone knew your password. Change it anywhere else you use it.":
      'لم يكن هذا من طرفك؟ هذا يعني أن كلمة مرورك كانت معروفة لشخص آخر. يُرجى تغييرها أينما كانت مستخدمة.',
    'The workspace {workspace} is deleted with your account.': 'ستُحذف مساحة العمل {workspace} مع حسابك.',
    'The workspace {workspace} stays, and {successor} becomes its owner.':
      'ستبقى مساحة العمل {workspace} وتنتقل ملكيتها إلى {successor}.',
    'You are signed out.': 'تم تسجيل خروجك.',
    "That's already your address.": 'هذا هو عنوانك الحالي بالفعل.',
    'It requires two-factor authentication: a code from an app, or a passkey. You set one up when you join.':
      'تُلزم هذه المساحة بالمصادقة الثنائية: رمز من تطبيق أو مفتاح مرور. يتم الإعداد عند الانضمام.',
    'You own it already': 'الملكية لك بالفعل',
    'Ownership transferred': 'تم نقل الملكية',
    'Is the ending missing, such as .com? If the address is right, send it again.':
      'هل تنقص النهاية، مثل ‎.com؟ إذا كان العنوان صحيحًا، يُرجى الإرسال مرة أخرى.',
    'Skip the password next time?': 'تخطّي كلمة المرور في المرة القادمة؟',
    'With a passkey, you sign in with your fingerprint, face or PIN. It takes a minute to add one.':
      'بمفتاح المرور يتم تسجيل الدخول بالبصمة أو الوجه أو رمز PIN. إضافته تستغرق دقيقة.',
    'No, thanks': 'لا، شكرًا',
    'Require two-factor authentication in {name}?': 'الإلزام بالمصادقة الثنائية في {name}؟',
    'Checking who has neither a code nor a passkey…': 'جارٍ البحث عمّن ليس لديهم رمز ولا مفتاح مرور…',
    'All members already have a code or a passkey.': 'لدى جميع الأعضاء رمز أو مفتاح مرور بالفعل.',
    'Members who signed in with only a password are asked for a second factor the next time they open the workspace.':
      'من سجّل الدخول بكلمة المرور وحدها يُطلب منه العامل الثاني عند الدخول التالي.',
    'Transfer {account} to {name}?': 'نقل ملكية {account} إلى {name}؟',
    'Transfer ownership': 'نقل الملكية',
    '{name} becomes an owner with full control: members and their roles, settings, deletion.':
      'تنتقل الملكية إلى {name} مع القرار في كل شيء: الأعضاء وأدوارهم والإعدادات والحذف.',
    'You become an admin: you can still manage members and settings, but not delete the workspace or make others owners.':
      'يصبح دورك مشرفًا: تستمر إدارة الأعضاء والإعدادات، من دون حذف المساحة أو تعيين مالكين.',
    'Only an owner can make you an owner again.': 'لا يمكن إعادة الملكية إليك إلا من قِبل مالك.',
    'Transfer ownership…': 'نقل الملكية…',
    'They become an owner, and you an admin': 'تنتقل الملكية، ويصبح دورك مشرفًا',
    'Last used': 'آخر طريقة مستخدمة',
    "Lost both? Ask the {appName} team to turn it off once they have confirmed it's you.":
      'فقدان كليهما؟ يُرجى التواصل مع القائمين على {appName}: يتم التحقق من الهوية ثم إيقاف المصادقة الثنائية.',
    "Thank you. {email} is now verified, here and on every device where you're signed in.":
      'شكرًا. تم تأكيد {email} الآن، هنا وعلى كل جهاز سُجّل الدخول عليه.',
    'Continue to sign in': 'متابعة إلى تسجيل الدخول',
    'Two-factor authentication: a code from an app, or a passkey. You set one up when you join.':
      'المصادقة الثنائية: رمز من تطبيق أو مفتاح مرور. يتم الإعداد عند الانضمام.',
    '{by} removed you from {name}.': 'تمت إزالتك من {name} بواسطة {by}.',
    '{by} deleted {name}.': 'تم حذف {name} بواسطة {by}.',
    "This browser can't store passkeys. Try another one, or your phone.":
      'لا يدعم هذا المتصفح مفاتيح المرور. يمكن تجربة متصفح آخر أو الهاتف.',
    "This browser doesn't let us copy. Select and copy the text yourself.":
      'لا يسمح هذا المتصفح بالنسخ. يُرجى تحديد النص يدويًا.',
    Leave: 'مغادرة',
    'Leave without your recovery codes?': 'المغادرة من دون رموز الاسترداد؟',
    "They are shown only now. If you lose your phone, you'll need them to sign in.":
      'تظهر الآن فقط. عند فقدان الهاتف هي وسيلة تسجيل الدخول.',
    'Back to the codes': 'العودة إلى الرموز',
    'Two-factor authentication is required': 'المصادقة الثنائية إلزامية',
    'Set up an authenticator app or a passkey here. Then you can continue to:':
      'يُرجى إعداد تطبيق مصادقة أو مفتاح مرور هنا. بعدها يمكن المتابعة إلى:',
    'The key is copied.': 'تم نسخ المفتاح.',
    'Copy the key': 'نسخ المفتاح',
    'That link was already used or has expired. Ask for a new one here.':
      'تم استخدام هذا الرابط من قبل أو انتهت صلاحيته. يمكن طلب رابط جديد هنا.',
    '{count} of {members} have neither a code nor a passkey. They can get back in once they have set one up:': {
      zero: 'لا أحد من {members} بلا رمز ومفتاح مرور.',
      one: 'عضو واحد من {members} بلا رمز ولا مفتاح مرور. يعود الدخول بعد إعداد أحدهما:',
      two: 'عضوان من {members} بلا رمز ولا مفتاح مرور. يعود الدخول بعد إعداد أحدهما:',
      few: '{count} أعضاء من {members} بلا رمز ولا مفتاح مرور. يعود الدخول بعد إعداد أحدهما:',
      many: '{count} عضوًا من {members} بلا رمز ولا مفتاح مرور. يعود الدخول بعد إعداد أحدهما:',
      other: '{count} عضو من {members} بلا رمز ولا مفتاح مرور. يعود الدخول بعد إعداد أحدهما:',
    },
    "First, we need to know it's you. Once the app is set up, you're signed out on all your other devices.":
      'أولًا يلزم التحقق من الهوية، حتى لا يتمكن أحد آخر أمام هذه الشاشة من ذلك. بعد إعداد التطبيق يتم تسجيل الخروج من جميع الأجهزة الأخرى.',
    'You need': 'المطلوب منك',
    // Mails and what else is said of security
    'A passkey was added': 'تمت إضافة مفتاح مرور',
    'A passkey was removed': 'تمت إزالة مفتاح مرور',
    'A recovery code was used': 'تم استخدام رمز استرداد',
    'IP address': 'عنوان IP',
    'Your new password is now the only way to sign in.': 'لا توجد وسيلة لتسجيل الدخول سوى كلمة المرور الجديدة.',
    'Your address was {email} before. Until {time}, a link that we sent there can take this account back.':
      'كان عنوان الحساب سابقًا {email}. يمكن لرابط أُرسل إليه أن يستعيد هذا الحساب حتى {time}.',
    'Besides your new password, these ways to sign in remain: {ways}.':
      'إلى جانب كلمة المرور الجديدة، تبقى وسائل تسجيل الدخول هذه: {ways}.',
    "Check {email}: we sent a link there, and you have two days to open it. Until then, we can't help you if you lose your password.":
      'تم إرسال رابط إلى {email} وهو صالح لمدة يومين. وحتى فتحه، لا يمكننا المساعدة عند فقدان كلمة المرور.',
    'Choose a new password': 'اختيار كلمة مرور جديدة',
    Device: 'الجهاز',
    'From now on, signing in to {appName} with your password also takes a code from your authenticator app. All other devices have been signed out.':
      'من الآن فصاعدًا، يتطلب تسجيل الدخول إلى {appName} بكلمة المرور رمزًا من تطبيق المصادقة أيضًا. وقد تم تسجيل الخروج من جميع الأجهزة الأخرى.',
    'From now on, your password alone is enough to sign in to {appName}. Your recovery codes no longer work.':
      'من الآن فصاعدًا، تكفي كلمة المرور وحدها لتسجيل الدخول إلى {appName}. ولم تعد رموز الاسترداد صالحة.',
    'Hello {name},': 'مرحبًا {name}،',
    'Hello,': 'مرحبًا،',
    "If this was you, there is nothing to do. If it wasn't, someone else has your account now: take it back right away, and change this password anywhere else you use it.":
      'إذا كان هذا التغيير من طرفك فلا داعي لأي إجراء. وإلا فإن حسابك أصبح بيد شخص آخر: يُرجى استعادته فورًا وتغيير كلمة المرور هذه أينما كانت مستخدمة.',
    'It can no longer be used to sign in to {appName} as you.':
      'لم يعد بإمكان أحد استخدامه لتسجيل الدخول إلى {appName} باسمك.',
    'Join {place}': 'الانضمام إلى {place}',
    'Keep your recovery codes in a safe place: without your phone, they are your way in.':
      'يُرجى حفظ رموز الاسترداد في مكان آمن: فهي وسيلة الدخول عند غياب الهاتف.',
    'New sign-in to {appName}': 'تسجيل دخول جديد إلى {appName}',
    'You have none left. Create new ones.': 'لم يبق أي رمز. يُرجى إنشاء رموز جديدة.',
    'You have one left.': 'بقي رمز واحد منها.',
    'Or copy this address into your browser:': 'أو يمكن نسخ هذا العنوان إلى المتصفح:',
    'Change your password now, here and anywhere else you use it.':
      'يُرجى تغيير كلمة المرور الآن، هنا وأينما كانت مستخدمة.',
    'Please verify that {email} is your email address, so we can reach you when it matters.':
      'يُرجى تأكيد أن {email} هو عنوان بريدك الإلكتروني، كي نتمكن من الوصول إليك عند الحاجة.',
    Remove: 'إزالة',
    'Review your sessions': 'مراجعة الجلسات',
    Revoke: 'سحب',
    'See the invitation': 'عرض الدعوة',
    'Somebody knows your password': 'كلمة مرورك معروفة لشخص آخر',
    "Someone signed in to your account from a browser we haven't seen before.":
      'تم تسجيل الدخول باسمك من متصفح لم نره من قبل.',
    'Someone signed in to {appName} with your password and one of your recovery codes.':
      'تم تسجيل الدخول إلى {appName} بكلمة مرورك وأحد رموز الاسترداد.',
    'Someone entered your password on {appName}, then ten wrong codes in a row. They did not get in. Codes from your authenticator app are blocked for a while; a recovery code or a passkey still signs you in.':
      'أُدخلت كلمة مرورك في {appName} ثم عشرة رموز خاطئة متتالية. لم ينجح الدخول، وستُرفض رموز تطبيق المصادقة لبعض الوقت. ويبقى تسجيل الدخول ممكنًا برمز استرداد أو مفتاح مرور.',
    "The email address of your {appName} account was just changed. This address no longer signs you in, and we won't write to it anymore.":
      'تم للتو تغيير عنوان البريد الإلكتروني لحسابك في {appName}. لم يعد هذا العنوان صالحًا لتسجيل الدخول، ولن نراسله بعد الآن.',
    'Someone, hopefully you, asked to reset your {appName} password.':
      'ورد طلب كلمة مرور جديدة في {appName}، ونأمل أن يكون من طرفك.',
    'Take your account back': 'استعادة الحساب',
    "If this wasn't you, choose a new password right away.": 'لم يكن هذا من طرفك؟ يُرجى إذن طلب كلمة مرور جديدة فورًا.',
    "If this wasn't you, someone else was signed in as you. End all other sessions, and check your connected accounts.":
      'لم يكن هذا من طرفك؟ هذا يعني أن شخصًا آخر سجّل الدخول باسمك. يُرجى إنهاء جميع الجلسات الأخرى ومراجعة الحسابات المتصلة.',
    "If this wasn't you, someone knows your password. Change it right away.":
      'لم يكن هذا من طرفك؟ هذا يعني أن كلمة مرورك معروفة لشخص آخر. يُرجى تغييرها فورًا.',
    "If it wasn't, someone knows your password. Change it right away: that signs out all other devices.":
      'لم يكن هذا من طرفك؟ هذا يعني أن كلمة مرورك معروفة لشخص آخر. يُرجى تغييرها فورًا: فذلك يسجّل الخروج من جميع الأجهزة الأخرى.',
    "If this wasn't you, someone knows your password. Change it, and check your passkeys.":
      'لم يكن هذا من طرفك؟ هذا يعني أن كلمة مرورك معروفة لشخص آخر. يُرجى تغييرها ومراجعة مفاتيح المرور.',
    'If this was you, you can ignore this email.': 'كان هذا من طرفك؟ يمكن إذن تجاهل هذه الرسالة.',
    'The invitation expires on {day}.': 'تنتهي صلاحية الدعوة في {day}.',
    'The link works once and expires after 20 minutes.': 'يعمل الرابط مرة واحدة ولمدة 20 دقيقة.',
    'The link works once and expires after two days.': 'يعمل الرابط مرة واحدة ولمدة يومين.',
    'The link works once and expires after three days.': 'يعمل الرابط مرة واحدة ولمدة ثلاثة أيام.',
    'The passkey can no longer be used to sign in to {appName}.':
      'لم يعد بالإمكان تسجيل الدخول إلى {appName} بمفتاح المرور هذا.',
    'The password of your {appName} account has been changed, and all other devices have been signed out.':
      'تم تغيير كلمة مرور حسابك في {appName} وتسجيل الخروج من جميع الأجهزة الأخرى.',
    "This wasn't me: remove the account": 'لم يكن هذا من طرفي: إزالة الحساب',
    Time: 'الوقت',
    'Unknown browser': 'متصفح غير معروف',
    'Verify email': 'تأكيد البريد الإلكتروني',
    'Anyone who can sign in to your {provider} account can now sign in to {appName} as you.':
      'كل من يستطيع تسجيل الدخول إلى {provider} باسمك يستطيع تسجيل الدخول إلى {appName} باسمك أيضًا.',
    'Anyone with this passkey can sign in to {appName} as you, without your password.':
      'كل من يملك مفتاح المرور الجديد يستطيع تسجيل الدخول إلى {appName} باسمك دون كلمة مرورك.',
    "If you didn't ask for this, you can ignore this email: your password stays as it is.":
      'لم يكن الطلب من طرفك؟ يمكن إذن تجاهل هذه الرسالة: تبقى كلمة المرور كما هي.',
    "If you didn't sign up for {appName}, you can ignore this email or remove the account.":
      'لم يُنشأ حساب {appName} من طرفك؟ يمكن إذن تجاهل هذه الرسالة أو إزالة الحساب.',
    "If you don't know what this is about, you can ignore this email.":
      'الأمر غير مألوف لك؟ يمكن إذن تجاهل هذه الرسالة.',
    '{name}’s workspace': 'مساحة عمل {name}',
    Terms: 'الشروط',
    Privacy: 'الخصوصية',
    Imprint: 'بيانات الناشر',
    'Second factor': 'العامل الثاني',
    Joined: 'تاريخ الانضمام',
    Actions: 'الإجراءات',
    'No members match. Try a shorter search or other filters.':
      'لا توجد نتائج. يمكن تجربة بحث أقصر أو عوامل تصفية أخرى.',
    'With and without second factor': 'بعامل ثانٍ أو بدونه',
    'With second factor': 'بعامل ثانٍ',
    'Without second factor': 'بدون عامل ثانٍ',
    'Actions for {name}': 'إجراءات {name}',
    'Remove from workspace…': 'إزالة من مساحة العمل…',
    'Leave workspace…': 'مغادرة مساحة العمل…',
    Yes: 'نعم',
    No: 'لا',
    'Your email has been restored': 'تمت استعادة بريدك الإلكتروني',
    'Sign in to {email} with your new password.': 'يُرجى تسجيل الدخول إلى {email} بكلمة المرور الجديدة.',
    'We sent a link to {email} to choose a new password.': 'أرسلنا إلى {email} رابطًا لاختيار كلمة مرور جديدة.',
    'This page is still loading. Try again in a moment.': 'ما زالت الصفحة قيد التحميل. يُرجى إعادة المحاولة بعد لحظات.',
    'By signing up, you agree to the {terms}. How your data is handled: {privacy}':
      'إنشاء الحساب موافقة على {terms}. كيف نتعامل مع بياناتك: {privacy}',
    'By signing up, you agree to the {terms}.': 'إنشاء الحساب موافقة على {terms}.',
    'New email': 'البريد الإلكتروني الجديد',
    '{count} members': {
      zero: 'لا أعضاء',
      one: 'عضو واحد',
      two: 'عضوان',
      few: '{count} أعضاء',
      many: '{count} عضوًا',
      other: '{count} عضو',
    },
    'Send again to {email}': 'إعادة الإرسال إلى {email}',
    'Send again': 'إعادة الإرسال',
    'Revoke the invitation for {email}': 'سحب دعوة {email}',
    'Remove {name}': 'إزالة {name}',
    'Disconnect {name}': 'فصل {name}',
    'Rename {name}': 'إعادة التسمية: {name}',
    Add: 'إضافة',
    'Sign out of {name}': 'تسجيل الخروج من {name}',
    'See the invitation to {account}': 'عرض الدعوة إلى {account}',
    'a workspace': 'مساحة عمل',
    'no recovery codes': 'لا رموز استرداد',
    'one recovery code': 'رمز استرداد واحد',
    'sign-in with {provider}': 'تسجيل الدخول عبر {provider}',
    'the passkey “{name}”': 'مفتاح المرور «{name}»',
    'your authenticator app': 'تطبيق المصادقة',
    '{action}?': '{action}؟',
    '{actor} removed you from {account}': '{actor}إزالتك من {account}',
    '{appName}: recovery codes': '{appName}: رموز الاسترداد',
    '{browser} on {system}': '{browser} على {system}',
    'You have {count} left.': {
      zero: 'لم يبق أي رمز منها.',
      one: 'بقي رمز واحد منها.',
      two: 'بقي رمزان منها.',
      few: 'بقيت {count} رموز منها.',
      many: 'بقي {count} رمزًا منها.',
      other: 'بقي {count} رمز منها.',
    },
    '{count} recovery codes': {
      zero: 'لا رموز استرداد',
      one: 'رمز استرداد واحد',
      two: 'رمزا استرداد',
      few: '{count} رموز استرداد',
      many: '{count} رمز استرداد',
      other: '{count} رمز استرداد',
    },
    '{name} is now an owner of {place}': 'تم منح {name} دور المالك في {place}',
    '{actor} made {name} an owner of {place}.': 'تم منح {name} دور المالك في {place} من قِبل {actor}.',
    'Owners have full control: members and their roles, settings, deletion.':
      'يمنح هذا الدور صلاحية كاملة: الأعضاء وأدوارهم والإعدادات والحذف.',
    'If this is not right, an owner can change the role again.':
      'إذا لم يكن ذلك صحيحًا، فيمكن لأي مالك تغيير الدور من جديد.',
    "If it was done in your name and it wasn't you, choose a new password right away.":
      'إذا حدث ذلك باسمك من دون علمك، فيُرجى اختيار كلمة مرور جديدة فورًا.',
    'See the members': 'عرض الأعضاء',
    '{inviter} invited you to {place} on {appName}': 'دعوة من {inviter} إلى {place} على {appName}',
    '{inviter} invited you to {place} on {appName} as {role}.':
      'دعوة من {inviter} إلى {place} على {appName} بصفة {role}.',
    '{provider} was connected': 'تم ربط {provider}',
    '{provider} was disconnected': 'تم فصل {provider}',
    'Your account gets {email} back as its address. Everyone is signed out of it, its passkeys, connected accounts, tokens and two-factor authentication are removed, invitations sent since then are withdrawn, and we email you a link to choose a new password.':
      'سيستعيد حسابك العنوان {email}. وسيتم تسجيل الخروج من كل مكان وإزالة مفاتيح المرور والحسابات المرتبطة ورموز الوصول والمصادقة الثنائية وسحب الدعوات المرسلة منذ ذلك الحين وإرسال رابط لاختيار كلمة مرور جديدة.',
    'Restore my email': 'استعادة البريد الإلكتروني',
    'If you changed it yourself, close this page: nothing has changed.':
      'كان التغيير من طرفك؟ يمكن إذن إغلاق هذه الصفحة: لم يتغير شيء.',
    'Your email has been restored. Choose a new password': 'تمت استعادة بريدك الإلكتروني. يُرجى اختيار كلمة مرور جديدة',
    'Sign in': 'تسجيل الدخول',
    Reload: 'إعادة التحميل',
    // Tokens
    Token: 'رمز الوصول',
    'the token “{name}”': 'رمز الوصول «{name}»',
    'a token': 'رمز وصول',
    'Token created': 'تم إنشاء رمز الوصول',
    'Token revoked': 'تم سحب رمز الوصول',
    'Review your tokens': 'مراجعة رموز الوصول',
    'A token was created': 'تم إنشاء رمز وصول',
    'Programs with this token can use {appName} as you, until it expires.':
      'يمكن للبرامج التي لديها هذا الرمز استخدام {appName} باسمك حتى انتهاء صلاحيته.',
    "If this wasn't you, someone knows your password. Change it, and revoke the token.":
      'لم يكن هذا من طرفك؟ هذا يعني أن كلمة مرورك معروفة لشخص آخر. يُرجى تغييرها وسحب رمز الوصول.',
    'A token was revoked': 'تم سحب رمز وصول',
    'Programs with this token can no longer use {appName}.':
      'لم يعد بإمكان البرامج التي لديها هذا الرمز استخدام {appName}.',
    "If this wasn't you, someone else was signed in as you. End all other sessions.":
      'لم يكن هذا من طرفك؟ هذا يعني أن شخصًا آخر سجّل الدخول باسمك. يُرجى إنهاء جميع الجلسات الأخرى.',
    'You have 20 tokens already': 'لديك 20 رمز وصول بالفعل',
    Tokens: 'رموز الوصول',
    'A token lets a program or an app use the API as you. Treat it like a password.':
      'يتيح رمز الوصول لبرنامج أو تطبيق استخدام واجهة API باسمك. يُرجى التعامل معه مثل كلمة المرور.',
    'Your new token': 'رمز الوصول الجديد',
    'The token is copied.': 'تم نسخ رمز الوصول.',
    "You won't see this token again. Keep it where only your program can read it.":
      'لن يظهر رمز الوصول هذا مرة أخرى. يُرجى حفظه حيث لا يقرؤه إلا البرنامج.',
    'Your tokens': 'رموز الوصول الخاصة بك',
    'You have no tokens yet.': 'ليس لديك رموز وصول بعد.',
    'Create a token': 'إنشاء رمز وصول',
    'The name tells you later which program uses it.': 'يدلك الاسم لاحقًا على البرنامج الذي يستخدمه.',
    Access: 'الصلاحية',
    'Read only': 'قراءة فقط',
    'Read and write': 'قراءة وكتابة',
    'Expires in': 'تنتهي الصلاحية خلال',
    'Expired {day}': 'انتهت صلاحيته في {day}',
    'Expires {day}': 'تنتهي صلاحيته في {day}',
    'Revoke this token?': 'سحب رمز الوصول هذا؟',
    'Programs that use {name} lose access at once.': 'تفقد البرامج التي تستخدم {name} صلاحية الوصول فورًا.',
    '{actor} created the token {token}': '{actor}إنشاء رمز الوصول {token}',
    '{actor} revoked the token {token}': '{actor}سحب رمز الوصول {token}',
    'Before you can add an authenticator app, a passkey, a connected account, a password or a token, verify that {email} is yours. We sent a link there.':
      'قبل إضافة تطبيق مصادقة أو مفتاح مرور أو حساب مرتبط أو كلمة مرور أو رمز وصول، يلزم التأكد من أن {email} عنوانك. أرسلنا إليه رابطًا.',
    '{count} days': {
      zero: '{count} يوم',
      one: 'يوم واحد',
      two: 'يومين',
      few: '{count} أيام',
      many: '{count} يومًا',
      other: '{count} يوم',
    },
    // Invitation links
    'Invitation link created': 'تم إنشاء رابط الدعوة',
    'Invitation link removed': 'تمت إزالة رابط الدعوة',
    'Invitation link': 'رابط الدعوة',
    'Your new invitation link': 'رابط الدعوة الجديد',
    'The link is copied.': 'تم نسخ الرابط.',
    'It is shown only now. Anyone who has it can join, so send it only to people you want here.':
      'يظهر الآن فقط. يمكن لكل من لديه الرابط الانضمام، لذا يُرجى عدم إرساله إلا إلى من يُراد انضمامهم.',
    'Up to 100 people with a verified address can join with it as members, for a week.':
      'يمكن لما يصل إلى 100 شخص لديهم بريد إلكتروني مؤكد الانضمام به كأعضاء لمدة أسبوع.',
    'Create link': 'إنشاء رابط',
    Replace: 'استبدال',
    'Replace the invitation link?': 'استبدال رابط الدعوة؟',
    'The invitation link has ended, too, since {name} may know it. Create a new one if you need it.':
      'انتهت صلاحية رابط الدعوة أيضًا، لأنه قد يكون معروفًا لدى {name}. يمكن إنشاء رابط جديد عند الحاجة.',
    'The current link stops working right away.': 'يتوقف الرابط الحالي عن العمل فورًا.',
    'Remove link': 'إزالة الرابط',
    'Remove the invitation link?': 'إزالة رابط الدعوة؟',
    'It has expired.': 'انتهت صلاحيته.',
    'It expires {day}.': 'تنتهي صلاحيته في {day}.',
    '{count} people joined.': {
      zero: 'لم ينضم أحد بعد.',
      one: 'انضم شخص واحد.',
      two: 'انضم شخصان.',
      few: 'انضم {count} أشخاص.',
      many: 'انضم {count} شخصًا.',
      other: 'انضم {count} شخص.',
    },
    'This link has expired. If you need a new one, ask the person who sent it.':
      'انتهت صلاحية هذا الرابط. للحصول على رابط جديد، يُرجى سؤال من أرسله.',
    'Sign in to join, or sign up if you have no account yet.':
      'يُرجى تسجيل الدخول للانضمام، أو إنشاء حساب إن لم يوجد بعد.',
    'You are signed in as {email}.': 'تم تسجيل الدخول باسم {email}.',
    'Before you can join, verify that {email} is yours: open the link that we sent there.':
      'قبل الانضمام يلزم التأكد من أن {email} عنوانك: يُرجى فتح الرابط الذي أرسلناه إليه.',
    Join: 'انضمام',
    '{actor} created an invitation link for {account}': '{actor}إنشاء رابط دعوة إلى {account}',
    '{actor} created an invitation link': '{actor}إنشاء رابط دعوة',
    '{actor} removed the invitation link of {account}': '{actor}إزالة رابط الدعوة إلى {account}',
    '{actor} removed the invitation link': '{actor}إزالة رابط الدعوة',
    'You joined {account} as {role} with the invitation link': 'الانضمام إلى {account} بدور {role} عبر رابط الدعوة',
    '{name} joined as {role} with the invitation link': '{name}: الانضمام بدور {role} عبر رابط الدعوة',
    // Trusted browsers
    'Trusted browsers forgotten': 'تم نسيان المتصفحات الموثوقة',
    'Trust this browser for 30 days': 'الوثوق بهذا المتصفح لمدة 30 يومًا',
    'Trusted browsers': 'المتصفحات الموثوقة',
    'Forget all': 'نسيان الكل',
    '{count} browsers sign in without a second step.': {
      zero: 'لا متصفحات موثوقة.',
      one: 'متصفح واحد يسجّل الدخول دون خطوة ثانية.',
      two: 'متصفحان يسجّلان الدخول دون خطوة ثانية.',
      few: '{count} متصفحات تسجّل الدخول دون خطوة ثانية.',
      many: '{count} متصفحًا يسجّل الدخول دون خطوة ثانية.',
      other: '{count} متصفح يسجّل الدخول دون خطوة ثانية.',
    },
    // Rolled tokens, sessions of others, and what is missing
    'End this session?': 'إنهاء هذه الجلسة؟',
    'End this session': 'إنهاء الجلسة',
    'It is signed out right away. Then you choose a new password, which signs out all your other devices, too.':
      'يتم تسجيل خروجها فورًا، ثم تأتي صفحة اختيار كلمة مرور جديدة، وتغييرها ينهي الجلسات على سائر الأجهزة.',
    'Active {time}': 'آخر نشاط: {time}',
    Summary: 'ملخص',
    'Email verified': 'البريد الإلكتروني مؤكَّد',
    'Email not verified': 'البريد الإلكتروني غير مؤكَّد',
    'Second factor on': 'العامل الثاني مفعَّل',
    'No second factor': 'لا عامل ثانٍ',
    'Nothing is missing.': 'لا ينقص شيء.',
    'If you forget your password, nothing leads back. Verify your email.':
      'عند نسيان كلمة المرور لا سبيل إلى العودة. يُرجى تأكيد البريد الإلكتروني.',
    'One lost phone would lock you out. Add a passkey.':
      'ضياع الهاتف يعني فقدان الوصول إلى الحساب. يُرجى إضافة مفتاح مرور.',
    'One lost device would lock you out. Set a password.':
      'ضياع الجهاز يعني فقدان الوصول إلى الحساب. يُرجى تعيين كلمة مرور.',
    'A stolen password is enough to sign in as you. Add a passkey.':
      'تكفي كلمة مرور مسروقة للدخول إلى حسابك. يُرجى إضافة مفتاح مرور.',
    'There is only one way in. Add a passkey.': 'لا توجد إلا طريقة واحدة للدخول. يُرجى إضافة مفتاح مرور.',
    'Create new recovery codes before you need one.': 'يُرجى إنشاء رموز استرداد جديدة قبل الحاجة إليها.',
    'To try it, run this in a terminal:': 'للتجربة، يمكن تشغيل هذا الأمر في سطر الأوامر:',
    'Copy the command': 'نسخ الأمر',
    'The command is copied.': 'تم نسخ الأمر.',
    Roll: 'تجديد',
    'Roll…': 'تجديد…',
    'Revoke…': 'سحب…',
    'Roll this token?': 'تجديد رمز الوصول هذا؟',
    'Token rolled': 'تم تجديد رمز الوصول',
    'Expires {time}': 'تنتهي صلاحيته {time}',
    'A token expires soon': 'رمز وصول تقترب نهاية صلاحيته',
    'Roll it before the program that uses it loses access.':
      'يُرجى تجديده قبل أن يفقد البرنامج الذي يستخدمه صلاحية الوصول.',
    'After that, programs with this token can no longer use {appName} as you.':
      'بعد ذلك لا يمكن للبرامج التي تستخدم رمز الوصول هذا استخدام {appName} باسمك.',
    Expires: 'تنتهي الصلاحية',
    'If you still need it, roll it: you get a new one, and the old one works for another hour.':
      'إذا كانت الحاجة إليه قائمة، يُرجى تجديده: يُنشأ رمز وصول جديد، ويبقى القديم صالحًا ساعة أخرى.',
    '{count} ways to sign in': {
      zero: 'لا طريقة للدخول',
      one: 'طريقة واحدة للدخول',
      two: 'طريقتان للدخول',
      few: '{count} طرق للدخول',
      many: '{count} طريقة للدخول',
      other: '{count} طريقة للدخول',
    },
    '{count} sessions not seen for more than 30 days': {
      zero: 'لا جلسات دون نشاط منذ أكثر من 30 يومًا',
      one: 'جلسة واحدة دون نشاط منذ أكثر من 30 يومًا',
      two: 'جلستان دون نشاط منذ أكثر من 30 يومًا',
      few: '{count} جلسات دون نشاط منذ أكثر من 30 يومًا',
      many: '{count} جلسة دون نشاط منذ أكثر من 30 يومًا',
      other: '{count} جلسة دون نشاط منذ أكثر من 30 يومًا',
    },
    'You get a new token with the same name and access, for {count} days. The old one keeps working for an hour.': {
      zero: 'يُنشأ رمز وصول جديد بالاسم والصلاحيات نفسها. ويبقى القديم صالحًا ساعة واحدة.',
      one: 'يُنشأ رمز وصول جديد بالاسم والصلاحيات نفسها ليوم واحد. ويبقى القديم صالحًا ساعة واحدة.',
      two: 'يُنشأ رمز وصول جديد بالاسم والصلاحيات نفسها ليومين. ويبقى القديم صالحًا ساعة واحدة.',
      few: 'يُنشأ رمز وصول جديد بالاسم والصلاحيات نفسها لمدة {count} أيام. ويبقى القديم صالحًا ساعة واحدة.',
      many: 'يُنشأ رمز وصول جديد بالاسم والصلاحيات نفسها لمدة {count} يومًا. ويبقى القديم صالحًا ساعة واحدة.',
      other: 'يُنشأ رمز وصول جديد بالاسم والصلاحيات نفسها لمدة {count} يوم. ويبقى القديم صالحًا ساعة واحدة.',
    },
    // A code by mail
    'That code has expired. Ask for a new one': 'انتهت صلاحية هذا الرمز. يُرجى طلب رمز جديد',
    '{code} is your code for {appName}': '{code} هو رمز الدخول إلى {appName}',
    'Your code for {appName}': 'رمز الدخول إلى {appName}',
    'Enter it in the browser in which you asked for it:': 'يُرجى إدخاله في المتصفح الذي طُلب منه:',
    'Never tell it to anybody. It works once, for ten minutes, and only in that browser.':
      'يُرجى عدم إخبار أي شخص به. يعمل مرة واحدة، لمدة عشر دقائق، وفي ذلك المتصفح فقط.',
    "If you didn't ask for a code, you can ignore this email: nobody can sign in without the code.":
      'إذا لم يُطلب رمز من جهتكم، يمكن تجاهل هذه الرسالة: لا يمكن لأحد تسجيل الدخول من دون الرمز.',
    'with a code by mail': 'برمز عبر البريد',
    'with a code by mail and one from an app': 'برمز عبر البريد ورمز من تطبيق',
    'with a code by mail and a recovery code': 'برمز عبر البريد ورمز استرداد',
    'with a code by mail in a trusted browser': 'برمز عبر البريد في متصفح موثوق',
    'with single sign-on': 'بالدخول الموحّد',
    'with single sign-on and a code': 'بالدخول الموحّد ورمز',
    'with single sign-on and a recovery code': 'بالدخول الموحّد ورمز استرداد',
    'with single sign-on in a trusted browser': 'بالدخول الموحّد في متصفح موثوق',
    'Signed in': 'تسجيل الدخول',
    "If it wasn't, someone reads your mail. Change the password of your mailbox first, then end all other sessions.":
      'إذا لم يكن كذلك، فهناك من يقرأ بريدكم. يُرجى تغيير كلمة مرور صندوق البريد أولاً، ثم إنهاء جميع الجلسات الأخرى.',
    'Enter your code': 'إدخال الرمز',
    'If {email} belongs to a verified account, {appName} has just sent it a mail with eight digits.':
      'إذا كان {email} يخص حسابًا مؤكَّدًا، فقد أرسل {appName} إليه للتو رسالة فيها ثمانية أرقام.',
    'this address': 'هذا العنوان',
    'It works for ten minutes, in the browser that asked for it.': 'يعمل لمدة عشر دقائق، في المتصفح الذي طُلب منه.',
    'It works for ten minutes, in this browser alone.': 'يعمل لمدة عشر دقائق، في هذا المتصفح فقط.',
    'Use my password instead': 'استخدام كلمة المرور بدلاً من ذلك',
    'Nothing there? Look into the spam folder, too.': 'لم يصل شيء؟ يُرجى التحقق من مجلد الرسائل غير المرغوب فيها أيضًا.',
    'Nothing there? {button}': 'لم يصل شيء؟ {button}',
    'Email me a new code': 'إرسال رمز جديد بالبريد',
    'Email me a code': 'إرسال رمز بالبريد',
    'with a password in a trusted browser': 'بكلمة المرور في متصفح موثوق',
    'with {provider} in a trusted browser': 'عبر {provider} في متصفح موثوق',
    '{actor} trusted a browser': '{actor}الوثوق بمتصفح',
    '{actor} ended the trust in all browsers': '{actor}نسيان كل المتصفحات الموثوقة',
    'The browser is trusted now: for 30 days, it needs no second step to sign in.':
      'أصبح المتصفح موثوقًا: لا يحتاج إلى خطوة ثانية لتسجيل الدخول لمدة 30 يومًا.',
    'The browser is not trusted: a second step is needed each time.': 'المتصفح غير موثوق: تلزم خطوة ثانية في كل مرة.',
    // What a mail is for
    'You can accept or decline until {day}.': 'يمكن قبولها أو رفضها حتى {day}.',
    'Was it you? If not, change your password.': 'هل كان ذلك من طرفك؟ إن لم يكن كذلك، فيُرجى تغيير كلمة المرور.',
    'One click shows us that this address is yours.': 'تكفي نقرة واحدة لإثبات أن هذا العنوان لك.',
    'You have 20 minutes to choose a new one.': 'أمامك 20 دقيقة لاختيار كلمة مرور جديدة.',
    'Check that it was you who added it.': 'يُرجى التأكد من أن الإضافة كانت من طرفك.',
    'Check that it was you who removed it.': 'يُرجى التأكد من أن الإزالة كانت من طرفك.',
    'Check that it was you who connected it.': 'يُرجى التأكد من أن الربط كان من طرفك.',
    'Check that it was you who disconnected it.': 'يُرجى التأكد من أن الفصل كان من طرفك.',
    'Check that it was you who created it.': 'يُرجى التأكد من أن الإنشاء كان من طرفك.',
    'Check that it was you who revoked it.': 'يُرجى التأكد من أن السحب كان من طرفك.',
    'Check that it was you, and keep your recovery codes in a safe place.':
      'يُرجى التأكد من أن ذلك كان من طرفك، وحفظ رموز الاسترداد في مكان آمن.',
    'Check that it was you: from now on, your password alone is enough.':
      'يُرجى التأكد من أن ذلك كان من طرفك: من الآن فصاعدًا تكفي كلمة المرور وحدها.',
    'Change it now. They did not get in.': 'يُرجى تغييرها الآن. لم ينجح الدخول.',
    'Check that it was you, and how many codes are left.':
      'يُرجى التأكد من أن ذلك كان من طرفك، ومن عدد الرموز المتبقية.',
    "If it wasn't you, take your account back within three days.":
      'إن لم يكن ذلك من طرفك، فيمكن استعادة الحساب خلال ثلاثة أيام.',
    'Check that it was you, and which other ways to sign in remain.':
      'يُرجى التأكد من أن ذلك كان من طرفك، ومن الوسائل الأخرى المتبقية لتسجيل الدخول.',
    'This confirms it. There is nothing left to do.': 'هذا تأكيد للحذف. لا يلزم أي إجراء آخر.',
    // Buttons, filters and failures
    'Change your password': 'تغيير كلمة المرور',
    Connect: 'ربط',
    Apply: 'تطبيق',
    'Nobody has joined yet.': 'لم ينضم أحد بعد.',
    "That doesn't look like an email address.": 'لا يبدو هذا عنوان بريد إلكتروني.',
    "This page can't be shown": 'تعذّر عرض هذه الصفحة',
    "Something on it isn't as we expected. Nothing was changed. Reload the page, or come back later.":
      'في الصفحة ما لم نتوقعه. لم يتغير أي شيء. يُرجى إعادة تحميل الصفحة أو العودة لاحقًا.',
    'You are offline. What you type here is not lost.': 'لا يوجد اتصال بالشبكة. لن يُفقد ما يُكتب هنا.',
  },
} satisfies Language
