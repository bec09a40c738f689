<?xml version="1.0" encoding="UTF-8" ?>
<Package name="all &amp; more" format_version="5">
    <Manifest src="manifest.xml" />
    <BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="." xar="behavior.xar" />
        <BehaviorDescription name="behavior" src="../out" xar="x.xar" />
    </BehaviorDescriptions>
    <Dialogs>
        <Dialog name="talk" src="talk/talk.dlg" />
    </Dialogs>
    <Resources>
        <File name="sound" src="sounds/sound.ogg" />
        <Unknown />
    </Resources>
    <Topics>
        <Topic name="talk_enu" src="talk/talk_enu.top" topicName="talk" language="en_US" nuance="" />
    </Topics>
    <IgnoredPaths>
        <Path src=".metadata" />
    </IgnoredPaths>
    <Translations auto-fill="en_US">
        <Translation name="translation_en_US" src="translations/translation_en_US.ts" language="en_US" />
    </Translations>
</Package>
