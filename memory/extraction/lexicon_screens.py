"""How questions, jokes, quotes, hypotheticals, commands, small talk and crises look (folded text)."""

from __future__ import annotations

QUESTION_ZH = (
    r"[嗎嘛](?:$|[?!])|麼\?|什麼(?!都|樣的|時候都)|甚麼(?!都)|啥(?!都)|誰(?!都)|哪(?!怕|都|有那麼)|怎麼(?!樣都|都|說呢?都)|怎樣(?!都)|為何|幾(?:歲|點|號|個|次|月|天|年|隻|分)(?!後|前|了|都)|多少|多久|"
    r"是不是|有沒有|要不要|會不會|好不好|能不能|可不可以|知不知道|對不對|喜不喜歡|想不想|行不行|算不算|該不該|是否|還是.{1,6}\?|呢(?:$|\?)|[你妳](?:還)?記得|猜猜"
)
QUESTION_EN = (
    r"\?\s*$|^(?:what|who|where|when|why|how|which|do you|did you|does|are you|is it|can you|could you|would you|will you|have you|"
    r"should i|do i|did i|am i|is my|what's|who's|where's|how's|guess)\b"
)
QUESTION_JA = r"\?\s*$|(?:ですか|ますか|ました?か|かな|でしょうか|だっけ|のか|の\?)\s*[。?]?$|^(?:何|誰|どこ|いつ|なぜ|どう)"

HYPOTHETICAL_ZH = (
    r"如果|要是|假如|假設|假使|萬一|倘若|若是|的話|中樂透|中了樂透|早知道|就好了|多好|搞不好|說不定|可能會不會|下輩子|上輩子|換作是|換成是我|要不是|"
    r"夢到|夢見|做夢|做了?(?:一)?個夢|想像(?:一下)?|幻想"
)
HYPOTHETICAL_EN = r"\bif\b|\bwould (?:have|be|love to be)\b|\bi wish\b|\bsuppose\b|\bimagine\b|\bwhat if\b|\bunless\b|\bdream(?:t|ed) (?:that|about|i)\b|\bmaybe i(?:'ll| will| should)?\b"
HYPOTHETICAL_JA = r"もし|としたら|だったら|ならいいのに|たらいいな|たらなあ|宝くじ|夢を見|夢で"

JOKE_ZH = r"(?<!不是)(?<!沒)(?<!沒在)(?<!不是在)開玩笑|騙[你妳]的|唬[你妳]的|鬧[你妳]的|逗[你妳]的|說笑的|亂講的|亂說的|掰的|才怪|假的啦|整[你妳]的|嚇[你妳]的|愚人節快樂"
JOKE_EN = r"\b(?:just |i'm |im |only )kidding\b|\bj/?k\b|\bjoking\b(?! apart)|\bnot really\b|\bpsych\b|\bsike\b|\bapril fools\b"
JOKE_JA = r"冗談|嘘だよ|うそだよ|なんちゃって|嘘です"
NO_JOKE = r"(?:不是|沒有?)(?:在)?開玩笑|\bnot (?:joking|kidding)\b|\bno joke\b|冗談(?:じゃ|では)な"

# Somebody else's words: the rest of the sentence is theirs.
REPORTED_ZH = (
    r"^(?!.{0,2}我(?:[說講唱寫]|跟|都說)|.{0,6}跟[你妳]|[你妳])(?:[^,我]{1,8}|我(?!們?[說講]).{1,6})(?:說過?|講過?|問我?|唱[著道到]|寫道?|寫著|覺得|認為|以為|聽說|據說|提到|留言|罵我?|告訴我|表示|規定|叫我(?:去|要|不要|別|多|快|趕|來|幫|起))|"
    r"^(?:聽說|據說|新聞|網路上|網友|歌詞|台詞|書裡|書上|電影裡|劇裡|小說裡|漫畫裡|這首歌|那首歌|有句話|俗話|古人|名言|有人)|歌詞|台詞"
)
REPORTED_EN = r"\b(?:he|she|they|people|someone|everyone|my \w+|the \w+|[a-z]+) (?:said|says|told me|asked|thinks|claims|sang|wrote)\b|\blyrics?\b|\bthe song goes\b|\bquote\b|\baccording to\b|\bin the (?:movie|book|song|game|show)\b"
REPORTED_JA = r"(?:って|と)(?:言って|言った|言われ|聞いた|聞いて|書いて)|歌詞|セリフ|らしい"
QUOTE_MARKS = r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\""

# Asking her to do something.
COMMAND_ZH = (
    r"^(?:[你妳]|莉莉|lily|可以|能)?(?:可以|能不能|能)?(?:請(?!假|客|病)|幫我|給我(?!媽|爸)|教我|陪我|唱|講個|說個|講一?個|說一?個|推薦|介紹一?下|翻譯|算一?下|查一?下|寫一?[首篇段]|念一?[首段]|"
    r"閉嘴|安靜|過來|去死|滾|等我|等等我|別(?!人)|不要(?!喝|吃)|不准|快點|加油|猜|想像|扮演|假裝|忽略|無視|刪掉|忘記|忘掉|告訴我|跟我說|抱抱|摸摸|親親|誇我|安慰我|罵我|叫我起床|來聊|聊聊|換個|回答)"
)
COMMAND_EN = r"^(?:please |hey |ok |lily,? )*(?:tell me|sing|write|translate|help me|remind me(?! that)|recommend|play|stop|shut up|forget|ignore|show me|give me|let's|say |pretend|act as|listen|look|don't (?!you))"
COMMAND_JA = r"(?:ください|ちょうだい|教えて|歌って|慰めて|待って|助けて|して(?:よ|ね)?|黙って|褒めて|忘れて|無視して)\s*[。!]?$"

SMALL_TALK = (
    r"(?:早安?|午安|晚安|安安|你好|妳好|您好|嗨+|哈囉|哈嘍|嘿+|嗯+|恩+|喔+|哦+|啊+|欸+|誒+|蛤+|是|對|對啊|對呀|好|好啊|好呀|好喔|好的|好吧|好哦|行|可以|可以啊|沒事|沒事啦|沒有|沒有啊|沒差|不會|不用|不要|才不要|"
    r"謝謝[你妳]?|感謝|謝啦|3q|謝了|多謝|掰掰|拜拜|再見|88|先這樣|下次聊|改天聊|哈+|呵呵+|嘻嘻+|嗚+|哭啊?|笑死|笑爛|傻眼|無言|真假|真的假的|真的嗎|真的|太神啦|是喔|是哦|原來如此|原來|這樣啊|這樣喔|了解|知道了|收到|ok+|okay|okk|好無聊|無聊|好累|累死了?|累爆|好睏|好餓|餓了?|肚子餓|好熱|好冷|熱死了?|"
    r"在嗎|在幹嘛|在嘛|睡了嗎|吃飽了嗎?|吃了嗎|我回來了|回來了|我來了|我到家了|我到了|到家了|我先忙|先忙了?|我去洗澡了?|我去吃飯了?|我要睡了|我先睡了|去睡了|睡覺了|我要去洗澡了?|我去忙了?|等我一下|等一下|出門了|上班了|下班了|下課了|起床了|我醒了|愛你|愛妳|我愛你|我愛妳|想你|想妳|想你了|想妳了|想死你了|想死妳了|抱抱|莉莉|"
    r"今天(?:天氣)?(?:好|真|超|很)?(?:熱|冷|累|好|忙|無聊|舒服|悶|不錯)|天氣(?:好|真|很|超)?(?:好|熱|冷|不錯|差)|下雨了?|加油|厲害|好棒|你真好|妳真好|好可愛|你好可愛|妳好可愛|討厭|討厭啦|笨蛋|傻瓜|怎麼了|"
    r"h(?:i|ello|ey)+(?: there| lily)?|yo|sup|good (?:morning|night|evening|afternoon)|gn|gm|bye(?: ?bye)?|see (?:you|ya)(?: later| tomorrow)?|thanks?(?: you)?(?: so much| a lot)?|thx|ty|ok(?:ay)?|yes|yeah|yep|no|nope|sure|cool|nice|great|wow|(?:ha)+h?|l(?:ol)+|lmao|rofl|brb|gtg|hmm+|really|i see|got it|so tired|i'?m (?:so )?(?:tired|bored|hungry|sleepy|back|here|home)|love you|miss you|how are you|what'?s up|"
    r"おはよう?(?:ございます)?|こんにちは|こんばんは|おやすみ(?:なさい)?|ただいま|ありがとう?(?:ございます)?|はい|うん+|いいえ|ううん|そう(?:です|だ)?(?:ね)?|なるほど|了解|わかった|すごい|かわいい|疲れた|眠い|暇|草|w+|またね|じゃあね|バイバイ|お疲れ(?:様|さま)?(?:です)?|へえ+|まじ(?:で)?|ほんと|好き|大好き)"
)
LAUGHS = r"哈|呵|嘻|嘿嘿|😂|🤣|xd+|lol|lmao|笑死|ww+"

CRISIS = (
    r"不想活|活不下去|(?<!防治)自殺(?!片|式|突擊|小隊|防治|攻擊|率|熱線)|輕生|尋短|結束(?:我|自己)?的?(?:生命|性命|一切)|了結(?:自己|生命)|割腕|自殘|傷害自己|跳樓|跳下去|燒炭|吞(?:一堆|整罐|安眠)?藥自|"
    r"想(?:要)?死(?![你妳我])|好想死|想去死|沒有(?:活下去|活著)的(?:意義|理由|動力)|活著(?:好|很|太)?(?:沒意義|痛苦|累)|不想(?:再)?醒(?:來|過來)|想從(?:這個)?世界(?:上)?消失|(?:沒有我|我不在)(?:大家)?(?:會)?(?:比較好|更好)|"
    r"\bkill(?:ing)? myself\b|\bsuicid|\b(?:want|wanna|going) (?:to )?die\b|\bend (?:my life|it all)\b|\bhurt(?:ing)? myself\b|\bself[- ]harm|\bdon'?t want to (?:live|be alive|wake up)\b|\bno reason to live\b|\bbetter off (?:dead|without me)\b|\bcut(?:ting)? myself\b|"
    r"死にたい|自殺(?:し|を)|消えたい|生きていたくない|生きるのがつらい|リストカット|自傷"
)
HYPERBOLE = (
    r"(?:累|熱|尷尬|無聊|餓|丟臉|冷|睏|羞恥|社死|丟人|癢|笑|吵|臭|酸|辣)(?:到|得)(?:我)?(?:好|都)?(?:想死|不想活)|(?:想死|愛死|笑死|累死|氣死|煩死|無聊死)[你妳我了]?(?=了|啦|$)(?<!想死)|想死[你妳]|"
    r"(?:主角|男主|女主|角色|兇手|電影|劇情|小說|遊戲裡)[^,。!?]{0,8}(?:自殺|跳樓|想死|割腕|燒炭)|(?:電影|小說|劇|書|遊戲)[^,。!?]{0,6}(?:自殺|輕生)|(?:die|dying) (?:of|from) (?:laughter|laughing|boredom|embarrassment|cringe)"
)

BOT_ZH = r"[你妳您]|莉莉|\blily\b|時刻"
BOT_EN = r"\byou(?:r|'re|rself)?\b|\blily\b"
BOT_JA = r"あなた|君(?:は|が|の|って)|きみ|お前|リリー|莉莉"
