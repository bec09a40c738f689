<?xml version="1.0" encoding="UTF-8" ?>
<Package name="Two" format_version="5">
    <Manifest src="manifest.xml" />
    <BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="dance" xar="behavior.xar" />
        <BehaviorDescription name="behavior" src="greet/hello" xar="behavior.xar" />
    </BehaviorDescriptions>
    <Dialogs>
        <Dialog name="topic" src="topic/topic.dlg" />
    </Dialogs>
    <Resources>
        <File name="beep" src="sounds/beep.wav" />
    </Resources>
    <Topics>
        <Topic name="topic_enu" src="topic/topic_enu.top" topicName="topic" language="en_US" nuance="" />
    </Topics>
    <IgnoredPaths>
        <Path src=".metadata" />
    </IgnoredPaths>
    <Translations auto-fill="en_US">
        <Translation name="translation_de_DE" src="translations/translation_de_DE.ts" language="de_DE" />
    </Translations>
</Package>
